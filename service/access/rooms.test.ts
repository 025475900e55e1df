// The rooms of access know each other in one direction: limits may use identity, identity the ledger, the ledger neither.
import { expect, test } from "bun:test";
import { join } from "node:path";

const MAY_USE: Record<string, readonly string[]> = {
  ledger: ["ledger"],
  identity: ["identity", "ledger"],
  limits: ["limits", "identity", "ledger"],
};
/** Leaves of the room itself, open to all three. */
const SHARED = ["../changes.ts"];

for (const [room, allowed] of Object.entries(MAY_USE)) {
  test(`the ${room} room imports only what stands below it`, async () => {
    const folder = join(import.meta.dir, room);
    const broken: string[] = [];
    for await (const file of new Bun.Glob("*.ts").scan(folder)) {
      if (file.endsWith(".test.ts")) continue;
      const text = await Bun.file(join(folder, file)).text();
      for (const [, target = ""] of text.matchAll(/from "(\.\.\/[^."][^"]*)"/g)) {
        const [, other = ""] = target.split("/");
        if (!SHARED.includes(target) && !allowed.includes(other)) broken.push(`${file} imports ${target}`);
      }
    }
    expect(broken).toEqual([]);
  });
}
