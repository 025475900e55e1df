import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../../database/database.ts";
import { AlreadyExists } from "../../../database/errors.ts";
import { openDatabase } from "../../../database/open.ts";
import { onEngine } from "../../../test/support/needing.ts";
import { sharedPostgres } from "../../../test/support/postgres.ts";
import { migrateStore } from "../migrations.ts";
import {
  creditedTo,
  decidedSignatures,
  findScan,
  recordTransfer,
  type StoredTransfer,
  saveScan,
  transfersOfPayment,
  undecidedTransfers,
} from "./payment-transfers.ts";
import {
  claimCheck,
  duePayments,
  findPayment,
  insertPayment,
  lockPayment,
  openPayments,
  paymentsOfReferences,
  type StoredPayment,
  scheduleCheck,
  updateSettlement,
  watchedAccounts,
} from "./payments.ts";
import { findTestTransfer, insertTestTransfer, testTransfersOf } from "./test-chain.ts";

let made = 0;
const payment = (more: Partial<StoredPayment> = {}): StoredPayment => ({
  paymentId: `pay_${++made}`,
  accountId: `acc_${made}`,
  plan: "credits",
  credits: 200_000,
  amountAtomic: "5000000",
  symbol: "USDC",
  mint: "mint",
  decimals: 6,
  network: "solana",
  recipient: "recipient",
  reference: `ref_${made}`,
  memo: "memo",
  test: 0,
  status: "awaiting_payment",
  paidAtomic: "0",
  paidInTimeAtomic: "0",
  convertedAtomic: "0",
  planGranted: 0,
  signature: null,
  creditedAt: null,
  createdAt: 1_000,
  expiresAt: 2_000,
  nextCheckAt: null,
  failures: 0,
  ...more,
});
const transfer = (more: Partial<StoredTransfer> = {}): StoredTransfer => ({
  signature: `sig_${++made}`,
  paymentId: "pay_x",
  verdict: "seen",
  mint: null,
  amountAtomic: "0",
  slot: 1,
  chainAt: null,
  firstSeenAt: 1_000,
  decidedAt: null,
  ...more,
});

for (const dialect of ["sqlite", "postgres"] as const) {
  onEngine(dialect).describe(`payments on ${dialect}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "payments-store-"));
    let database: Database;
    beforeAll(async () => {
      const url = dialect === "postgres" ? await (await sharedPostgres()).createDatabase() : null;
      database = await openDatabase(url ? { url } : { file: join(folder, "test.sqlite") });
      await migrateStore(database, 1);
    });
    afterAll(async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const insert = (row: StoredPayment) => database.write((tx) => insertPayment(tx, row));

    test("a payment is read back as it was written, by id and by reference, and settling changes only its state", async () => {
      const row = payment({ amountAtomic: "18446744073709551615" });
      await insert(row);
      expect(await findPayment(database.read, row.paymentId)).toEqual(row);
      expect([...(await paymentsOfReferences(database.read, ["none", row.reference]))]).toEqual([row]);
      const settled = {
        ...row,
        status: "credited",
        paidAtomic: "7",
        paidInTimeAtomic: "6",
        convertedAtomic: "5",
      };
      await database.write(async (tx) => {
        expect(await lockPayment(tx, row.paymentId)).toEqual(row);
        await updateSettlement(tx, {
          ...settled,
          plan: "scale",
          planGranted: 1,
          signature: "s",
          creditedAt: 9,
        });
      });
      const after = { ...settled, planGranted: 1, signature: "s", creditedAt: 9 };
      expect(await findPayment(database.read, row.paymentId)).toEqual(after);
    });

    test("due payments come oldest first, once, for one chain; only one process gets a claim", async () => {
      const late = payment({ nextCheckAt: 50 });
      const early = payment({ nextCheckAt: 40 });
      const others = [payment({ nextCheckAt: 200 }), payment({ nextCheckAt: 40, test: 1 }), payment()];
      for (const row of [late, early, ...others]) await insert(row);
      const due = await duePayments(database.read, false, 100, 10);
      expect(due.map((row) => row.paymentId)).toEqual([early.paymentId, late.paymentId]);
      const claims = await Promise.all(
        [1, 2, 3].map(() => database.write((tx) => claimCheck(tx, early, 500))),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      await database.write((tx) => scheduleCheck(tx, late.paymentId, null, 0));
      expect([...(await duePayments(database.read, false, 100, 10))]).toEqual([]);
      expect([...(await watchedAccounts(database.read, true))]).toEqual([
        { recipient: "recipient", mint: "mint", decimals: 6, since: 1_000 },
      ]);
    });

    test("only unpaid, unexpired payments of the account itself count as open", async () => {
      const row = payment();
      await insert(row);
      await insert(payment({ accountId: row.accountId, status: "credited" }));
      await insert(payment({ accountId: row.accountId, expiresAt: 1_500 }));
      expect(await openPayments(database.read, row.accountId, 1_600)).toEqual([2_000]);
    });

    test("a transfer's verdict may change until it is decided, and then never again", async () => {
      const row = transfer();
      const record = (more: Partial<StoredTransfer>) =>
        database.write((tx) => recordTransfer(tx, { ...row, ...more }));
      expect(await record({})).toBe(true);
      expect(
        (await undecidedTransfers(database.read, row.paymentId, 10)).map((one) => one.signature),
      ).toContain(row.signature);
      expect(await record({ verdict: "credited", decidedAt: 5, firstSeenAt: 5, amountAtomic: "9" })).toBe(
        true,
      );
      expect(await record({ verdict: "forked" })).toBe(false);
      const all = await transfersOfPayment(database.read, row.paymentId, 100);
      const kept = all.find((one) => one.signature === row.signature);
      expect(kept).toMatchObject({ verdict: "credited", amountAtomic: "9", firstSeenAt: 1_000 });
      expect(await creditedTo(database.read, row.signature)).toBe(row.paymentId);
      expect(await decidedSignatures(database.read, "pay_other", [row.signature])).toEqual(new Set());
      expect(await decidedSignatures(database.read, null, [row.signature, "none"])).toEqual(
        new Set([row.signature]),
      );
    });

    test("the database itself refuses to credit a signature to two payments", async () => {
      const row = transfer({ verdict: "credited", decidedAt: 1 });
      await database.write((tx) => recordTransfer(tx, row));
      const second = database.write((tx) => recordTransfer(tx, { ...row, paymentId: "pay_y" }));
      expect(await second.catch((error) => error)).toBeInstanceOf(AlreadyExists);
    });

    test("the position of a walk is stored, and begins where it was first set", async () => {
      const place = {
        address: "a",
        since: 5,
        cursor: null,
        walkUntil: null,
        walkBefore: null,
        walkNewest: null,
        sweptAt: 0,
      };
      await database.write((tx) => saveScan(tx, place));
      await database.write((tx) =>
        saveScan(tx, { ...place, since: 99, cursor: "c", walkBefore: "b", sweptAt: 7 }),
      );
      expect(await findScan(database.read, "a")).toEqual({
        ...place,
        cursor: "c",
        walkBefore: "b",
        sweptAt: 7,
      });
    });

    test("test transfers are numbered as they arrive and listed newest first between two slots", async () => {
      const coins = { account: "acc", owner: "own", mint: "m", decimals: 6, amountAtomic: "5", at: 1 };
      for (const signature of ["t1", "t2", "t3"]) {
        await database.write((tx) => insertTestTransfer(tx, { signature, reference: "r", ...coins }));
      }
      const slots = await Promise.all(
        ["t1", "t3"].map((signature) => findTestTransfer(database.read, signature)),
      );
      const [first, last] = slots.map((found) => found?.slot ?? -1);
      expect(last).toBe((first ?? 0) + 2);
      const listed = await testTransfersOf(database.read, "acc", first ?? 0, 1_000_000, 10);
      expect(listed.map((one) => one.signature)).toEqual(["t3", "t2"]);
      expect(
        (await testTransfersOf(database.read, "r", 0, last ?? 0, 1)).map((one) => one.signature),
      ).toEqual(["t2"]);
    });
  });
}
