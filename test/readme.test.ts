// Statements in the documents must be true: settings, commands, files.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { settingsDocument } from "../docs/settings.ts";
import { SETTINGS } from "../service/settings.ts";

const root = join(import.meta.dir, "..");
const read = (path: string) => Bun.file(join(root, path)).text();
const PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

test("docs/settings.md matches the settings", async () => {
  expect(await read("docs/settings.md")).toBe(settingsDocument());
});

/** RPC settings are named after their chains, of which an operator may have any number. */
const isSetting = (name: string) => Object.hasOwn(SETTINGS, name) || /^RPC_[A-Z0-9]+$/.test(name);

test("every setting that a page mentions exists", async () => {
  for (const page of PAGES) {
    const named = [...(await read(page)).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      (match) => match[1],
    );
    expect({ page, unknown: named.filter((name) => !isSetting(String(name))) }).toEqual({
      page,
      unknown: [],
    });
  }
});

test("every file that a page links to exists", async () => {
  for (const page of PAGES) {
    const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) =>
      String(match[1]),
    );
    expect({ page, missing: links.filter((link) => !existsSync(join(root, link))) }).toEqual({
      page,
      missing: [],
    });
  }
});

test("every npm command on a page exists", async () => {
  const { scripts } = JSON.parse(await read("package.json")) as { scripts: Record<string, string> };
  for (const page of [...PAGES, "docs/settings.md"]) {
    const reported = [...(await read(page)).matchAll(/npm run ([a-z:]+)/g)].map((match) => String(match[1]));
    expect({ page, missing: reported.filter((name) => !(name in scripts)) }).toEqual({ page, missing: [] });
  }
});

test("the operator's help lists every command that the pages mention", async () => {
  const help = Bun.spawnSync([process.execPath, join(root, "service/cli.ts"), "help"]).stdout.toString();
  for (const page of PAGES) {
    const reported = [...(await read(page)).matchAll(/crowdtape ([a-z]+)(?: |`|")/g)].map((match) =>
      String(match[1]),
    );
    expect({ page, missing: reported.filter((verb) => !help.includes(`crowdtape ${verb}`)) }).toEqual({
      page,
      missing: [],
    });
  }
});
