from infx.errors import BadInput


def test_a_sentence_is_one_printable_line() -> None:
    problem = BadInput("key \x1b[31m\nis\tbad", where="f:1", todo="mend\r\nit")
    assert problem.sentence == "f:1: key \N{REPLACEMENT CHARACTER}[31m is bad; mend it"
