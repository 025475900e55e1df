// A real EVM node for tests: hardhat in its own process on a free loopback port, claiming any chain id. Blocks are mined when
// a transaction arrives, or by hand; a snapshot and a revert make a re-org of any depth.
import { join } from "node:path";
import { freePort } from "../../support/supervised.ts";

export interface TestChain {
  url: string;
  webSocketUrl: string;
  chainId: number;
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Puts several transactions into one block: nothing is mined until the work is done. */
  inOneBlock(work: () => Promise<void>): Promise<void>;
  /** Reverts everything since the mark; the next blocks are another fork. */
  mark(): Promise<() => Promise<void>>;
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  stop(): Promise<void>;
}

const root = join(import.meta.dir, "../../..");
/** Hardhat needs a second or two; a busy machine much longer. */
const START_MS_MAX = 60_000;

export interface ChainStart {
  /** The first block's time; defaults to now. */
  beganAt?: number;
  /** Accounts with coins. */
  accounts?: number;
}

export async function startTestChain(chainId: number, start: ChainStart = {}): Promise<TestChain> {
  const port = await freePort();
  const child = Bun.spawn(
    [
      "node",
      join(root, "node_modules/hardhat/internal/cli/cli.js"),
      "--config",
      join(import.meta.dir, "hardhat.config.cjs"),
      "node",
      "--hostname",
      "127.0.0.1",
      "--port",
      String(port),
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        TEST_CHAIN_ID: String(chainId),
        HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
        ...(start.beganAt === undefined ? {} : { TEST_CHAIN_BEGAN: new Date(start.beganAt).toISOString() }),
        ...(start.accounts === undefined ? {} : { TEST_CHAIN_ACCOUNTS: String(start.accounts) }),
      },
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  const url = `http://127.0.0.1:${port}`;
  let lastId = 0;
  const rpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    lastId += 1;
    const response = await fetch(url, {
      method: "POST",
      // The node closes idle connections after five seconds, perhaps just when one is used again.
      keepalive: false,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await untilItAnswers(rpc, () => child.exitCode);
  const mine = async (blocks = 1): Promise<void> => {
    // One by one: hardhat generates batch-mined blocks lazily, and they don't link.
    for (let count = 0; count < blocks; count += 1) await rpc("evm_mine");
  };
  return {
    url,
    webSocketUrl: `ws://127.0.0.1:${port}`,
    chainId,
    rpc,
    mine,
    async inOneBlock(work) {
      await rpc("evm_setAutomine", [false]);
      try {
        await work();
        await mine();
      } finally {
        await rpc("evm_setAutomine", [true]);
      }
    },
    async mark() {
      const snapshot = await rpc("evm_snapshot");
      return async () => {
        if (!(await rpc<boolean>("evm_revert", [snapshot]))) throw new Error("the chain could not go back");
        // Later blocks must differ from the reverted ones, even with the same transactions.
        await rpc("evm_increaseTime", [7]);
      };
    },
    height: async () => Number(await rpc<string>("eth_blockNumber")),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

async function untilItAnswers(
  rpc: (method: string) => Promise<unknown>,
  exitCode: () => number | null,
): Promise<void> {
  const deadline = performance.now() + START_MS_MAX;
  for (;;) {
    if (exitCode() !== null) throw new Error(`hardhat ended with code ${exitCode()}`);
    try {
      await rpc("eth_chainId");
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await Bun.sleep(100);
    }
  }
}
