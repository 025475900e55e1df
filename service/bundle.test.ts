// A bundle runs what the sources say, where they say it, and is used only while it does.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshBundle } from "./bundle.ts";
import { makeBundle } from "./bundle-make.ts";

const NOTED_AT = new Date("2024-05-06T07:08:09.5Z");
let root: string;
let folder: string;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "crowdtape-bundle-")));
  folder = join(root, "dist", "service");
  for (const path of ["service", "kit"]) mkdirSync(join(root, path));
  put("package.json", "{}");
  put("package-lock.json", "{}");
  put("tsconfig.json", "{}");
  put("kit/place.ts", "export const place: string = import.meta.dir;");
  put("kit/later.ts", 'export const later = "loaded when it is needed";');
  put(
    "service/start.ts",
    `import { place } from "../kit/place.ts";
     const { later } = await import("../kit/later.ts");
     console.log(place, later);
     if (process.argv[2] === "fail") throw new Error("as asked for");`,
  );
  await makeBundle(folder, root);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string, at = NOTED_AT): void {
  writeFileSync(join(root, path), text);
  utimesSync(join(root, path), at, at);
}

async function runBundle(...words: string[]) {
  const child = Bun.spawn([process.execPath, String(freshBundle(folder, root)), ...words], {
    ...{ stdout: "pipe", stderr: "pipe" },
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out: out.trim(), err };
}

test("sources are where they were, also those that are loaded later", async () => {
  expect((await runBundle()).out).toBe(`${join(root, "kit")} loaded when it is needed`);
});

test("a stack trace leads to the source", async () => {
  expect((await runBundle("fail")).err).toContain(`${join(root, "service/start.ts")}:4`);
});

test.each([
  ["a source is longer", () => put("kit/later.ts", 'export const later = "something else altogether now";')],
  [
    "a source is newer",
    () => put("kit/place.ts", "export const place: string = import.meta.dir;", new Date()),
  ],
  ["a source is gone", () => rmSync(join(root, "kit/later.ts"))],
  ["other packages are installed", () => put("package-lock.json", '{ "packages": {} }')],
  ["its record is torn", () => writeFileSync(join(folder, "sources.json"), '{ "runtime": ')],
  ["there is none", () => rmSync(folder, { recursive: true })],
])("it is not used when %s", (_, change) => {
  expect(freshBundle(folder, root)).toBe(join(folder, "start.js"));
  change();
  expect(freshBundle(folder, root)).toBeNull();
});

test("it is not used in another folder, nor by another runtime", () => {
  const moved = `${root}-moved`;
  try {
    cpSync(root, moved, { recursive: true, preserveTimestamps: true });
    expect(freshBundle(join(moved, "dist", "service"), moved)).toBeNull();
  } finally {
    rmSync(moved, { recursive: true, force: true });
  }
  const sources = {};
  writeFileSync(join(folder, "sources.json"), JSON.stringify({ runtime: "1.0.0", root, sources }));
  expect(freshBundle(folder, root)).toBeNull();
});

test("one that is made again takes the changes up", async () => {
  put("kit/later.ts", 'export const later = "changed";');
  await makeBundle(folder, root);
  expect((await runBundle()).out).toEndWith("changed");
});
