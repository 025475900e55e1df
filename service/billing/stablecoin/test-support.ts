// For tests: a service's payment part on a database of its own, with the real ledger rules behind its grants and a
// clock that the test moves.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../../database/database.ts";
import { type DatabaseLocation, openDatabase } from "../../../database/open.ts";
import { type Clock, type ManualClock, manualClock } from "../../../kit/clock.ts";
import { createLog } from "../../../kit/log.ts";
import { createMetrics, type Metrics } from "../../../kit/metrics.ts";
import { seededRandom } from "../../../kit/random.ts";
import { createAccessChanges } from "../../access/changes.ts";
import { createGrants } from "../../access/ledger/grants.ts";
import { freshAccount } from "../../access/ledger/renewal.ts";
import { createViews } from "../../access/ledger/views.ts";
import { migrateStore } from "../../store/migrations.ts";
import { type Account, findAccount, insertAccount } from "../../store/money/accounts.ts";
import { entriesOfAccount, imbalances, insertEntries } from "../../store/money/ledger.ts";
import { freshPublicKey } from "./base58.ts";
import type { PaymentGrants } from "./grants.ts";
import { createStablecoinPayments, type StablecoinPayments } from "./payments.ts";
import { RpcStandIn, type StandInTransfer } from "./test-rpc.ts";

const START = Date.UTC(2026, 0, 15, 12);
export const EXPIRES_MINUTES = 60;
export const PUBLIC_URL = "https://tape.example";

export interface PaymentWorld {
  database: Database;
  clock: ManualClock;
  payments: StablecoinPayments;
  accountId: string;
  lines: string[];
  metrics: Metrics;
  account(): Promise<Account>;
  /** What was granted for payments, newest first. */
  granted(): Promise<string[]>;
  /** As after a crash: everything in memory is gone. */
  restart(): Promise<void>;
  /** Looks until nothing is due, moving time to the next look this many times. */
  look(times?: number): Promise<void>;
  close(): Promise<void>;
}

export interface PaymentWorldOptions {
  node?: RpcStandIn;
  recipient?: string;
  mint?: string;
  decimals?: number;
  location?: DatabaseLocation;
  /** Something in front of the real grants. */
  grants?: (real: PaymentGrants) => PaymentGrants;
  timeoutMs?: number;
}

/** The ledger's own grants. */
export function realGrants(database: Database, clock: Clock): PaymentGrants {
  return createGrants({ database: database, clock, views: createViews(), changes: createAccessChanges() });
}

/** Longer than any wait between two looks at an open payment, and than the wait after a few failures. */
const LOOK_STEP_MS = 21_000;

export async function makeWorld(options: PaymentWorldOptions = {}): Promise<PaymentWorld> {
  const folder = mkdtempSync(join(tmpdir(), "payments-"));
  const location = options.location ?? { file: join(folder, "test.sqlite") };
  const clock = manualClock(START);
  const lines: string[] = [];
  const open = async () => {
    const database = await openDatabase(location);
    await migrateStore(database, clock.now());
    const metrics = createMetrics();
    const { node, recipient = freshPublicKey(), mint = "", decimals = 6 } = options;
    const grants = realGrants(database, clock);
    const payments = createStablecoinPayments({
      database,
      grants: options.grants?.(grants) ?? grants,
      clock,
      random: seededRandom("payments"),
      log: createLog("debug", clock.now, (line) => lines.push(line)),
      metrics,
      settings: {
        solana: node ? { rpcUrl: node.url, recipient, mint, symbol: "USDC", decimals } : null,
        testChain: true,
        expiresMinutes: EXPIRES_MINUTES,
        publicUrl: () => PUBLIC_URL,
      },
      rpc: { timeoutMs: options.timeoutMs ?? 5_000 },
    });
    return { database, payments, metrics };
  };
  const opened = await open();
  const accountId = `acc_${crypto.randomUUID()}`;
  const first = freshAccount(accountId, "payer@example.com", START);
  await opened.database.write(async (tx) => {
    await insertAccount(tx, first.account);
    await insertEntries(tx, accountId, first.entries);
  });
  const world: PaymentWorld = {
    ...opened,
    clock,
    accountId,
    lines,
    async account() {
      const account = await findAccount(world.database.read, accountId);
      if (!account) throw new Error("the account is gone");
      return account;
    },
    async granted() {
      const entries = await entriesOfAccount(world.database.read, accountId, 100);
      return entries.flatMap((entry) =>
        entry.reference?.startsWith("stablecoin:") ? [`${entry.kind} ${entry.credits}`] : [],
      );
    },
    async restart() {
      await world.payments.watcher.stop();
      await world.database.close();
      Object.assign(world, await open());
    },
    async look(times = 2) {
      for (let i = 0; i < times; i++) {
        await world.payments.watcher.pass();
        await clock.advance(LOOK_STEP_MS);
      }
      await world.payments.watcher.pass();
    },
    async close() {
      const wrong = await imbalances(world.database.read);
      await world.payments.watcher.stop();
      await world.database.close();
      rmSync(folder, { recursive: true, force: true });
      if (wrong.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(wrong)}`);
    },
  };
  return world;
}

export interface SolanaWorld extends PaymentWorld {
  node: RpcStandIn;
  recipient: string;
  mint: string;
  /** Sends the world's coin to the world's recipient, unless `more` says otherwise. */
  pay(reference: string, amount: bigint, more?: Partial<StandInTransfer>): ReturnType<RpcStandIn["transfer"]>;
}

export async function makeSolanaWorld(
  options: PaymentWorldOptions & { program?: string } = {},
): Promise<SolanaWorld> {
  const node = await RpcStandIn.start();
  const mint = node.addMint(options.decimals, options.program);
  const recipient = freshPublicKey();
  const world = await makeWorld({ ...options, node, recipient, mint });
  const { close } = world;
  return Object.assign(world, {
    node,
    recipient,
    mint,
    pay: (reference: string, amount: bigint, more: Partial<StandInTransfer> = {}) =>
      node.transfer({
        mint,
        to: recipient,
        amount,
        references: [reference],
        atMs: world.clock.now(),
        ...more,
      }),
    close: async () => {
      await close();
      await node.stop();
    },
  });
}
