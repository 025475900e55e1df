import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { BOOKS } from "../books/schema.ts";
import { BadRoster, parseRoster, writeCsv } from "./file.ts";
import { addWallet, importRoster, readRoster, removeTraders, rosterVersion } from "./roster.ts";

const EVM = "0xAbCdEf0123456789aBcDeF0123456789abCDEF01";
const SOLANA = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";

describe("a roster's file", () => {
  test("is CSV with a header, quotes and several wallets, or JSON of the same rows", () => {
    const csv = `handle,displayName,solana,evm\n@frog,"Frog, ""the"" Queen",${SOLANA},${EVM};0x${"1".repeat(40)}\n`;
    const entry = {
      handle: "frog",
      displayName: 'Frog, "the" Queen',
      solana: [SOLANA],
      evm: [EVM.toLowerCase(), `0x${"1".repeat(40)}`],
    };
    expect(parseRoster(csv)).toEqual([entry]);
    expect(parseRoster(JSON.stringify([{ ...entry, evm: entry.evm.join(";") }]))).toEqual([entry]);
    expect(parseRoster(JSON.stringify({ traders: [entry] }))).toEqual([entry]);
  });

  test("names every wrong line at once, and nothing of it is taken", () => {
    const bad = `handle,solana,evm\nfrog,,${EVM}\na b,${SOLANA},\nFROG,,0x12\nnobody,,\nother,,${EVM}\n`;
    try {
      parseRoster(bad);
      throw new Error("it was taken");
    } catch (error) {
      expect(error).toBeInstanceOf(BadRoster);
      const { faults } = error as BadRoster;
      for (const line of ["line 3", "line 4", "line 5", "line 6"])
        expect(faults.some((fault) => fault.startsWith(line))).toBe(true);
    }
    expect(() => parseRoster("name,wallet\nx,y")).toThrow("the first line");
  });

  test("comes back as it was written, whatever names hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), (name) => {
        fc.pre(name.trim() !== "" && !name.includes("\r"));
        const entries = [{ handle: "a", displayName: name.trim(), solana: [SOLANA], evm: [] }];
        expect(parseRoster(writeCsv(entries))).toEqual(entries);
      }),
    );
  });
});

test("a visitor's wallet is added once, changes nobody, and no more of them than allowed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-roster-"));
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  const frog = { handle: "frog", displayName: "Frog", solana: [SOLANA], evm: [] };
  await importRoster(database, [frog], 1);
  const version = await rosterVersion(database.read);
  const allowed = { now: 2, walletsMax: 1 };
  expect(await addWallet(database, SOLANA, allowed)).toEqual({ handle: "frog", outcome: "known" });
  expect(await rosterVersion(database.read)).toBe(version);
  const wallet = EVM.toLowerCase();
  const { handle, outcome } = await addWallet(database, wallet, allowed);
  expect([outcome, await addWallet(database, wallet, allowed)]).toEqual([
    "added",
    { handle, outcome: "known" },
  ]);
  expect(await rosterVersion(database.read)).not.toBe(version);
  expect(await readRoster(database.read)).toMatchObject([
    { handle: "frog", solana: [SOLANA] },
    { handle, displayName: "0xabcd…ef01", evm: [wallet] },
  ]);
  expect((await addWallet(database, `0x${"2".repeat(40)}`, allowed)).outcome).toBe("full");
  await database.close();
  rmSync(folder, { recursive: true });
});

test("a trader keeps the same id through a new handle, and one who was removed can come back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-roster-"));
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  const frog = { handle: "frog", displayName: "Frog", solana: [SOLANA], evm: [] };
  expect(await importRoster(database, [frog], 1)).toEqual({ added: 1, changed: 0, unchanged: 0 });
  const version = await rosterVersion(database.read);
  expect(await importRoster(database, [frog], 2)).toEqual({ added: 0, changed: 0, unchanged: 1 });
  expect(await rosterVersion(database.read)).toBe(version);
  const [before] = await readRoster(database.read);
  await importRoster(database, [{ ...frog, handle: "Queen", evm: [EVM.toLowerCase()] }], 3);
  const [after] = await readRoster(database.read);
  expect(after).toMatchObject({
    userId: before?.userId,
    handle: "Queen",
    formerHandles: ["frog"],
    addedAt: 1,
  });
  expect(after?.evm).toEqual([EVM.toLowerCase()]);
  expect(await removeTraders(database, ["@queen", "nobody"], 4)).toEqual(["nobody"]);
  expect(await readRoster(database.read)).toEqual([]);
  await importRoster(database, [frog], 5);
  expect((await readRoster(database.read))[0]?.userId).toBe(String(before?.userId));
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
