/** Every button of a page is a declared action, and every declared action has a button (docs/pages.md, "Actions"). */
import { expect, test } from "bun:test";
import { pageFiles, readActions, readPage } from "../support/page-actions.ts";

/** The machinery of the actions knows steps as texts. */
const MACHINERY = ["action.ts", "action-page.tsx", "public-action.ts"];

/** The step of a button, or of a link to a question, as text instead of the step of an action. */
const STEP_AS_TEXT = /name="step"\s+value="|confirm[`"], \{ step|text\("step"\) [=!]==|switch \([\w.]+\.text\("step"\)/;

test("No page names the step of a button by text: every button is a declared action.", () => {
  const files = pageFiles().filter((file) => !MACHINERY.includes(file));
  expect(files.filter((file) => STEP_AS_TEXT.test(readPage(file)))).toEqual([]);
});

test("Every declared action has a button, a link to its question, or a place in a selection.", async () => {
  const sources = pageFiles().map(readPage).join("\n");
  const isUsed = (name: string) =>
    [`\\b${name}\\.step\\b`, `confirmPath\\([^;]*?\\b${name}\\b`, `actions?=\\{\\[?[^\\]}]*\\b${name}\\b`].some((use) =>
      new RegExp(use).test(sources),
    );
  const unused = (await readActions()).filter(({ name }) => !isUsed(name));
  expect(unused.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
});

test("The steps of the actions of one page differ.", async () => {
  const steps = (await readActions()).map(({ file, action }) => `${file} ${action.step}`);
  expect(steps.filter((each, index) => steps.indexOf(each) !== index)).toEqual([]);
});
