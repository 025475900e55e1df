import { expect, test } from "bun:test";
import { capabilities } from "../../protocol/capabilities.ts";
import { QUESTIONS } from "../../protocol/questions.ts";
import { LIVE_PATH } from "../../protocol/server/serve.ts";
import { SCENARIOS } from "../world/scenario-names.ts";
import { ADMIN_PATH } from "./admin.ts";
import { FAULT_KINDS } from "./faults.ts";

const document = await Bun.file(new URL("../../docs/platform-protocol.md", import.meta.url)).text();
const rows = document.split("\n").filter((line) => line.startsWith("| `"));

test("the document and the server name the same calls with the same parameters", () => {
  const described = rows
    .filter((row) => row.startsWith("| `/api/"))
    .map((row) => {
      const [, path = "", query = ""] = row.split("|").map((cell) => cell.trim());
      const names = [...query.replace(/\([^)]*\)/g, "").matchAll(/`(\w+)`/g)].map(([, name]) => name);
      return `${path.replaceAll("`", "")}?${names.join("&")}`;
    });
  expect(described.sort()).toEqual(
    Object.values(QUESTIONS)
      .map((route) => `${route.path}?${route.query.join("&")}`)
      .sort(),
  );
  expect(document).toContain(`\`${LIVE_PATH}\``);
  expect(document).toContain(`\`POST ${ADMIN_PATH}\``);
});

const named = rows.filter((row) => !row.startsWith("| `/")).map((row) => row.split("`")[1] ?? "");
const fields = Object.keys(capabilities.shape);
const scenarios: readonly string[] = SCENARIOS;

test("the document and the server name the same faults", () => {
  const others = [...fields, ...scenarios];
  expect(named.filter((name) => !others.includes(name)).sort()).toEqual([...FAULT_KINDS].sort());
});

test("the document names the scenarios that can be requested", () => {
  expect(named.filter((name) => scenarios.includes(name)).sort()).toEqual([...scenarios].sort());
});

test("the document names the capabilities that a platform declares", () => {
  expect(named.filter((name) => fields.includes(name)).sort()).toEqual(fields.sort());
});
