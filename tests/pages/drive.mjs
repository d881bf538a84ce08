// Drives Chromium through the steps on standard input, and prints what was seen: a JSON list of answers, of
// everything the page complained about, and of every request that it made.
import { chromium } from "playwright-core";

const { browser: executablePath, steps, width = 1400, height = 1000, sandbox } = JSON.parse(
  await new Promise((done) => {
    let text = "";
    process.stdin.on("data", (part) => (text += part)).on("end", () => done(text));
  }),
);
const browser = await chromium.launch({ executablePath, args: ["--disable-gpu", "--disable-dev-shm-usage"], chromiumSandbox: sandbox });
const answers = [];
const complaints = [];
const requests = [];
let context, page;

async function open(options) {
  await context?.close();
  context = await browser.newContext({ viewport: { width, height }, acceptDownloads: false, ...options });
  page = await context.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => !/^(data|blob):/.test(request.url()) && requests.push(request.url()));
}

const DO = {
  open: async (options) => open(options),
  goto: async (url) => {
    await page.goto(url);
    await DO.drawn();
  },
  visit: async (url) => page.goto(url),
  drawn: async () => page.waitForFunction(() => document.documentElement.dataset.drawn || document.getElementById("app").hidden),
  settle: async (selector) => {
    await page.waitForTimeout(60);
    await DO.drawn();
    if (selector) await page.waitForSelector(selector);
  },
  click: async (selector) => page.click(selector),
  hover: async (selector) => page.locator(selector).first().hover({ force: true }),
  choose: async ([selector, value]) => page.selectOption(selector, value),
  fill: async ([selector, value]) => page.fill(selector, value),
  focus: async (selector) => page.focus(selector),
  press: async (key) => page.keyboard.press(key),
  size: async ([wide, high]) => page.setViewportSize({ width: wide, height: high }),
  screenshot: async (path) => page.screenshot({ path, fullPage: true }),
  shown: async (path) => page.screenshot({ path }),
  see: async (code) => answers.push(await page.evaluate(code)),
};

try {
  await open({});
  for (const [name, value] of steps) await DO[name](value);
} finally {
  await browser.close();
}
console.log(JSON.stringify({ answers, complaints, requests }));
