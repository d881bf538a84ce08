"""The GraphQL endpoint, at the address that goes with either address of REST."""

from infx.forge.problem import Problem
from infx.forge.rest.route import Call, Reply, route


@route("POST", "/graphql")
@route("POST", "/api/graphql")
def graphql(call: Call) -> Reply:
    """Answers 200 even to what is wrong, except without a token."""
    if call.caller.kind == "anonymous":
        raise Problem(401, "This endpoint requires you to be authenticated.")
    from infx.forge import graph  # a schema that most forges never need

    budget = call.services.budget.state(call.caller)
    return Reply(graph.answer(call.site, call.caller, call.body, budget=budget))
