// The documents that clients generate code from must be clean under the linter that people run on them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncApiSlices } from "../contract/asyncapi.ts";
import { openApiSlices } from "../contract/openapi.ts";
import { atOnce } from "../kit/slices.ts";

const bin = join(import.meta.dir, "..", "node_modules", ".bin");
let folder = "";

async function lint(...args: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([join(bin, "spectral"), "lint", ...args], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: out + err };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crowdtape-lint-"));
  const base = "https://crowdtape.test";
  await Bun.write(
    join(folder, "openapi.json"),
    JSON.stringify(atOnce(openApiSlices({ baseUrl: base, version: "2.0.0" }))),
  );
  await Bun.write(
    join(folder, "asyncapi.json"),
    JSON.stringify(atOnce(asyncApiSlices({ wsBaseUrl: base.replace("http", "ws"), version: "2.0.0" }))),
  );
  // We publish no contact address, and stay on the version of AsyncAPI that generators support.
  await Bun.write(
    join(folder, "spectral.yaml"),
    "extends: [spectral:oas, spectral:asyncapi]\nrules:\n  asyncapi-latest-version: off\n  asyncapi-info-contact: off\n  asyncapi-info-contact-properties: off\n",
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("Spectral finds nothing wrong with either document", async () => {
  // Both in one process: most of its time goes into its start.
  const documents = ["openapi.json", "asyncapi.json"];
  const { code, output } = await lint(...documents, "--ruleset", "spectral.yaml", "--fail-severity=warn");
  expect(`${code} ${output}`).toStartWith("0 ");
});
