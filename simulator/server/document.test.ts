import { expect, test } from "bun:test";
import { ADMIN_PATH } from "./admin.ts";
import { FAULT_KINDS } from "./faults.ts";
import { ROUTES } from "./routes.ts";
import { LIVE_PATH } from "./serve.ts";

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
  expect(described.sort()).toEqual(ROUTES.map((route) => `${route.path}?${route.query.join("&")}`).sort());
  expect(document).toContain(`\`${LIVE_PATH}\``);
  expect(document).toContain(`\`POST ${ADMIN_PATH}\``);
});

test("the document and the server name the same faults", () => {
  const described = rows.filter((row) => !row.startsWith("| `/")).map((row) => row.split("`")[1] ?? "");
  expect(described.sort()).toEqual([...FAULT_KINDS].sort());
});
