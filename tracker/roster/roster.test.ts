import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { BOOKS } from "../books/schema.ts";
import { BadRoster, parseRoster, writeCsv } from "./file.ts";
import { addWallet, importRoster, readRoster, removeTraders, rosterVersion } from "./roster.ts";
import { checkPins, createSigningKey, openSigned, savePins, signRoster } from "./signed.ts";

const EVM = "0xAbCdEf0123456789aBcDeF0123456789abCDEF01";
const SOLANA = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";

describe("a roster's file", () => {
  test("is CSV with a header, quotes and several wallets, or JSON with the same rows", () => {
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

  test("reports every wrong line at once, and is rejected as a whole", () => {
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

  test("survives a round trip, whatever the names contain", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), (name) => {
        fc.pre(name.trim() !== "" && !name.includes("\r"));
        const entries = [{ handle: "a", displayName: name.trim(), solana: [SOLANA], evm: [] }];
        expect(parseRoster(writeCsv(entries))).toEqual(entries);
      }),
    );
  });
});

test("a visitor's wallet is added once, changes no other trader, and counts towards a limit", async () => {
  await withRoster(async (database) => {
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
  });
});

test("profile fields are checked, exported again, and stay when a later file omits them", async () => {
  const csv = `handle,evm,bio,x,picture\nfrog,${EVM},"Buys, holds",https://x.com/frog,https://pics.example/frog.png\n`;
  const [frog] = parseRoster(csv);
  const said = { bio: "Buys, holds", x: "frog", picture: "https://pics.example/frog.png" };
  expect(frog).toMatchObject(said);
  expect(parseRoster(writeCsv(parseRoster(csv)))).toEqual(parseRoster(csv));
  for (const wrong of ["picture\nfrog,0x,http://pics.example/a", "x\nfrog,0x,not a name"])
    expect(() => parseRoster(`handle,evm,${wrong.replace("0x", EVM)}`)).toThrow("line 2");
  await withRoster(async (database) => {
    await importRoster(database, parseRoster(csv), 1);
    const silent = parseRoster(`handle,evm\nfrog,${EVM}\n`);
    expect(await importRoster(database, silent, 2)).toMatchObject({ unchanged: 1 });
    expect((await readRoster(database.read))[0]).toMatchObject(said);
    const emptied = parseRoster(`handle,evm,bio\nfrog,${EVM},\n`);
    expect(await importRoster(database, emptied, 3)).toMatchObject({ changed: 1 });
    expect((await readRoster(database.read))[0]).toMatchObject({ ...said, bio: null });
  });
});

test("a shared roster must be its author's: not another's, not altered, not unsigned, not an older one", async () => {
  const traders = [{ handle: "frog", evm: EVM }];
  const [ours, theirs] = [await createSigningKey(), await createSigningKey()];
  const first = await signRoster(ours, { name: "frogs", traders }, 2_000);
  const signed = await openSigned(first);
  expect(parseRoster(signed?.text ?? "")).toMatchObject([{ handle: "frog" }]);
  expect(await openSigned(JSON.stringify({ traders }))).toBeNull();
  await expect(openSigned(first.replace("frog", "toad"))).rejects.toThrow("signature");
  const forged = {
    ...JSON.parse(first),
    key: JSON.parse(await signRoster(theirs, { name: "frogs", traders }, 1)).key,
  };
  await expect(openSigned(JSON.stringify(forged))).rejects.toThrow("signature");
  await withRoster(async (database) => {
    const check = async (text: string, trusted?: string) =>
      checkPins(database.read, ["frogs"], await openSigned(text), trusted);
    await check(first);
    if (signed) await savePins(database, ["frogs"], signed);
    await check(first);
    await check(await signRoster(ours, { name: "frogs", traders }, 3_000));
    const other = await signRoster(theirs, { name: "frogs", traders }, 3_000);
    await expect(check(other)).rejects.toThrow("--key");
    await check(other, (await openSigned(other))?.key);
    await expect(check(await signRoster(ours, { name: "frogs", traders }, 1_000))).rejects.toThrow("older");
    await expect(check(JSON.stringify({ traders }))).rejects.toThrow("not signed");
  });
});

async function withRoster(work: (database: Database) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-roster-"));
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  await work(database);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}

test("a trader keeps the same id through a new handle, and a removed one can come back", async () => {
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
