// A light map leads from every character of the code to the same source and line as the exact one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap as NodeSourceMap, type SourceMapPayload } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineMap, type SourceMap } from "./bundle-map.ts";

let folder: string;
let exact: SourceMap;
let code: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "crowdtape-map-"));
  const parts = Array.from({ length: 40 }, (_, index) => {
    const name = `part${index}`;
    const text = `${"\n".repeat(index * 7)}export function ${name}(a: number): number {
  const far = ${" ".repeat(index * 30)}a +
    Math.max(a,
      ${index});
  if (far > 3) return far; else
    return [a,
      far].length;
}\n`;
    writeFileSync(join(folder, `${name}.ts`), text);
    return name;
  });
  const imports = parts.map((name) => `import { ${name} } from "./${name}.ts";`).join("\n");
  writeFileSync(join(folder, "entry.ts"), `${imports}\nconsole.log(${parts.map((name) => `${name}(1)`)});\n`);
  await Bun.build({
    ...{ entrypoints: [join(folder, "entry.ts")], outdir: join(folder, "out") },
    ...{ target: "bun", sourcemap: "linked" },
  });
  exact = JSON.parse(readFileSync(join(folder, "out", "entry.js.map"), "utf8"));
  code = readFileSync(join(folder, "out", "entry.js"), "utf8").split("\n");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reader(map: SourceMap) {
  const over = new NodeSourceMap(map as unknown as SourceMapPayload);
  return (line: number, column: number) => {
    const found = over.findEntry(line, column);
    return "originalLine" in found ? [found.originalSource, found.originalLine] : null;
  };
}

test("every character of the code leads to the line that the exact map leads to", () => {
  const [light, full] = [reader(lineMap(exact)), reader(exact)];
  let compared = 0;
  for (const [line, text] of code.entries()) {
    for (let column = 0; column < text.length; column++) {
      const expected = full(line, column);
      if (expected === null) continue;
      expect([line, column, light(line, column)]).toEqual([line, column, expected]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(5_000);
});

test("it is much smaller and holds no source text", () => {
  const light = lineMap(exact);
  expect(light.mappings.length).toBeLessThan(exact.mappings.length * 0.6);
  expect(light.sources).toEqual(exact.sources);
  expect(light.sourcesContent).toEqual(exact.sources.map(() => null));
});
