// The handlers' files have the same names as the contract's, and each answers exactly the routes of its namesake.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { traderKey } from "../../contract/parts.ts";
import { normaliseHandle } from "../../protocol/values.ts";

const CONTRACT = new URL("../../contract/routes/", import.meta.url).pathname;
const HANDLERS = new URL("./routes/", import.meta.url).pathname;
const files = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.endsWith(".test.ts"))
    .sort();

test("every file of the contract's routes has a namesake among the handlers, and vice versa", () => {
  expect(files(HANDLERS)).toEqual(files(CONTRACT));
});

test.each(files(CONTRACT))("%s answers the routes that its namesake declares", async (file) => {
  const declared = Object.values(await import(CONTRACT + file)).flatMap((value) =>
    typeof value === "object" && value !== null && "id" in value ? [String(value.id)] : [],
  );
  const exported: Record<string, unknown> = await import(HANDLERS + file);
  const [, make] = Object.entries(exported).find(([name]) => name.endsWith("Routes")) ?? [];
  if (typeof make !== "function") throw new Error(`${file} has no handlers`);
  // Parts are used only by calls, and this makes no calls.
  const parts = { chains: { list: [] } };
  const answered = Object.keys(make(parts, undefined));
  expect(answered.sort()).toEqual(declared.sort());
});

test("a handle that the contract accepts is in the normal form that everything is stored under", () => {
  const characters = fc.constantFrom(..."aZ09_.-@éß🌙 /".split(""));
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 44 }), (text) => {
      const read = traderKey().safeParse(text);
      expect(read.success && read.data.kind === "handle" ? read.data.key : null).toEqual(
        normaliseHandle(text),
      );
    }),
  );
});
