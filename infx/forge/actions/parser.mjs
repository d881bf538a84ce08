// Answers questions about workflow files with GitHub's own parser and expression evaluator.
// One JSON document a line on standard input, one answer a line on standard output.
import { register } from "node:module";
import { createInterface } from "node:readline";

// The packages import their JSON schemas without the attribute that node asks for.
register(
  "data:text/javascript," +
    encodeURIComponent(`export const load = (url, context, next) =>
      next(url, url.endsWith(".json") ? {...context, importAttributes: {type: "json"}} : context)`),
);
const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await import("@actions/workflow-parser");
const { Lexer, Parser, Evaluator, data } = await import("@actions/expressions");
const { reviver } = await import("@actions/expressions/data/reviver");
const { replacer } = await import("@actions/expressions/data/replacer");
const { parseDocument } = await import("yaml");

const STATUS = ["success", "failure", "cancelled"];
const LEFT_TO_THE_RUNNER = "github";

/** The file as plain data, job conditions with the implied `success()`, and what GitHub would complain about. */
async function parse({ name, text }) {
  const parsed = parseWorkflow({ name, content: text }, new NoOperationTraceWriter());
  const template = parsed.value
    ? await convertWorkflowTemplate(parsed.context, parsed.value, undefined, { errorPolicy: 1 })
    : { jobs: [] };
  const errors = parsed.context.errors.getErrors().map((error) => error.message);
  let document = null;
  try {
    document = parseDocument(text).toJS({ maxAliasCount: 1000 });
  } catch (error) {
    errors.push(error.message);
  }
  if (document === null || typeof document !== "object" || Array.isArray(document)) document = {};
  for (const job of template.jobs ?? []) {
    const own = document.jobs?.[job.id.value];
    if (own && job.if) document.jobs[job.id.value] = { ...own, if: job.if.expression };
  }
  return { document, errors: [...new Set(errors)] };
}

function functions(status) {
  const answer = (name, value) => [name, { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }];
  const hash = { name: "hashfiles", minArgs: 1, maxArgs: 255, call: () => new data.StringData("") };
  return new Map([...STATUS.map((name) => answer(name, name === status)), answer("always", true), ["hashfiles", hash]]);
}

function evaluated(expression, { contexts, status }) {
  const known = functions(status);
  const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), [...known.values()]).parse();
  return new Evaluator(tree, JSON.parse(JSON.stringify(contexts), reviver), known).evaluate();
}

const plain = (value) => JSON.parse(JSON.stringify(value, replacer) ?? "null");

/** Text and expressions of a string in turn: ["text", "a "], ["expression", "github.ref"]. */
function segments(text) {
  const found = [];
  let at = 0;
  for (let open = text.indexOf("${{"); open >= 0; open = text.indexOf("${{", at)) {
    if (open > at) found.push(["text", text.slice(at, open)]);
    const end = closing(text, open + 3);
    found.push(["expression", text.slice(open + 3, end)]);
    at = end + 2;
  }
  if (at < text.length) found.push(["text", text.slice(at)]);
  return found;
}

function closing(text, from) {
  for (let at = from, quoted = false; at < text.length; at++) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text.startsWith("}}", at)) return at;
  }
  throw new Error(`an expression is not closed: ${text.slice(from - 3, from + 60)}`);
}

/** Every template inside `value` replaced by its value. A string that is one expression keeps the value's type. */
function fill(value, request) {
  if (typeof value === "string") {
    if (!value.includes("${{")) return value;
    const parts = segments(value);
    if (parts.length === 1) return plain(evaluated(parts[0][1], request));
    return parts.map(([kind, part]) => (kind === "text" ? part : evaluated(part, request).coerceString())).join("");
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, request));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [fillKey(key, request), fill(item, request)]));
}

const fillKey = (key, request) => (key.includes("${{") ? String(fill(key, request)) : key);

/** `value` as an expression that no quote, brace or newline inside can end. */
function literal(value) {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string" && /^[\w ./:@,+=-]*$/.test(value)) return `'${value}'`;
  const unicode = (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
  const inString = (text) => text.replace(/['{}$\u007f-\uffff]/g, unicode);
  const json = JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, inString);
  return `fromJSON('${json.replace(/([{}])(?=[{}])/g, "$1 ")}')`;
}

function property(value, name) {
  if (value === null || typeof value !== "object") return null;
  if (Array.isArray(value)) return value[Number(name)] ?? null;
  const key = Object.keys(value).find((key) => key.toLowerCase() === String(name).toLowerCase());
  return key === undefined ? null : value[key];
}

/** Length in tokens of the next constant step of a path (`.name`, `['name']`, `[0]`, `.*`, `[*]`) and its name. */
function step(tokens, at) {
  const lexemes = tokens.slice(at, at + 3).map((token) => token.lexeme);
  if (lexemes[0] === ".") return [2, lexemes[1]];
  const constant = lexemes[1] === "*" || (tokens[at + 1]?.value !== undefined && /^['\d]/.test(lexemes[1]));
  const name = lexemes[1] === "*" ? "*" : String(tokens[at + 1]?.value);
  return lexemes[0] === "[" && constant && lexemes[2] === "]" ? [3, name] : null;
}

/** The expression with every constant path into `contexts` replaced by its value. */
function boundExpression(expression, contexts) {
  const tokens = new Lexer(expression).lex().tokens;
  let out = "";
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at].lexeme.toLowerCase();
    const after = tokens[at - 1]?.lexeme === "." || tokens[at + 1]?.lexeme === "(";
    const found = !after && Object.hasOwn(contexts, name) ? constant(tokens, at, contexts[name], name) : null;
    out += found ? found.text : spaced(tokens[at].lexeme);
    if (found) at = found.last;
  }
  return out.trim();
}

const spaced = (lexeme) => (/^(&&|\|\||[=!<>]=|[<>,])$/.test(lexeme) ? `${lexeme === "," ? "" : " "}${lexeme} ` : lexeme);

function constant(tokens, at, context, name) {
  let found = [context];
  let filtered = false;
  let last = at;
  for (let next = step(tokens, last + 1); next; next = step(tokens, last + 1)) {
    const all = next[1] === "*";
    found = all ? found.flatMap(items) : found.map((value) => property(value, next[1]));
    if (filtered) found = found.filter((value) => value !== null);
    filtered ||= all;
    last += next[0];
  }
  if (filtered) return { text: literal(found), last };
  // The runner knows more of `github` than we do (token, workspace, …), and has the whole event too.
  const left = name === LEFT_TO_THE_RUNNER && (found[0] === null || typeof found[0] === "object");
  return left ? null : { text: literal(found[0]), last };
}

const items = (value) => (value !== null && typeof value === "object" ? Object.values(value) : []);

/** Every template inside `value` with `boundExpression` applied; a step's `if` is an expression without braces. */
function bind(value, { contexts }, key = "") {
  if (typeof value === "string") {
    if (key === "if" && !value.includes("${{")) return boundExpression(value, contexts);
    const bound = ([kind, part]) => (kind === "text" ? part : "${{ " + boundExpression(part, contexts) + " }}");
    return segments(value).map(bound).join("");
  }
  if (Array.isArray(value)) return value.map((item) => bind(item, { contexts }));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bind(item, { contexts }, name)]));
}

const ANSWERS = {
  parse,
  evaluate: (request) => plain(evaluated(request.expression, request)),
  fill: (request) => fill(request.value, request),
  bind: (request) => bind(request.value, request),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { answer: (await ANSWERS[request.ask](request)) ?? null };
  } catch (error) {
    answer = { error: String(error.message ?? error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
