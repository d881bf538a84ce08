// Answers questions about workflow files with GitHub's own parser and expression evaluator:
// one JSON document a line on standard input, one answer a line on standard output.
import { register } from "node:module";
import { createInterface } from "node:readline";

// The packages import their JSON schemas without the attribute that node asks for.
const hook = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context)`;
register("data:text/javascript," + encodeURIComponent(hook));
const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await import("@actions/workflow-parser");
const { Lexer, Parser, Evaluator, data } = await import("@actions/expressions");
const { reviver } = await import("@actions/expressions/data/reviver");
const { replacer } = await import("@actions/expressions/data/replacer");
const { parse } = await import("yaml");

/** The file as plain data, every job's `if` with the implied success(), and GitHub's complaints with their lines. */
async function read({ name, text }) {
  const parsed = parseWorkflow({ name, content: text }, new NoOperationTraceWriter());
  const options = { errorPolicy: 1 };
  const template = parsed.value && (await convertWorkflowTemplate(parsed.context, parsed.value, undefined, options));
  const errors = parsed.context.errors.getErrors();
  const document = errors.length ? {} : parse(text, { maxAliasCount: 1000 });
  for (const job of errors.length ? [] : template.jobs) {
    document.jobs[job.id.value] = { ...document.jobs[job.id.value], if: job.if.expression };
  }
  return { document, errors: errors.map((error) => ({ line: error.range?.start.line ?? 0, message: error.rawMessage })) };
}

/** Value of an expression; of success(), failure() and cancelled() the one that `status` names is true. */
function evaluate({ expression, contexts, status }) {
  const answers = { success: status === "success", failure: status === "failure", cancelled: status === "cancelled", always: true };
  const functions = Object.entries(answers).map(([name, value]) => ({
    name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value),
  }));
  const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const known = new Map(functions.map((one) => [one.name, one]));
  const value = new Evaluator(tree, JSON.parse(JSON.stringify(contexts), reviver), known).evaluate();
  return JSON.parse(JSON.stringify(value, replacer));
}

const ANSWERS = { read, evaluate };

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, ...question } = JSON.parse(line);
  let reply;
  try {
    reply = { answer: (await ANSWERS[ask](question)) ?? null };
  } catch (error) {
    reply = { error: String(error.message ?? error) };
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
