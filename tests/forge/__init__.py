import pytest

pytest.register_assert_rewrite("tests.forge.laws", "tests.forge.lives")
