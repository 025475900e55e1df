import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  stringToHex,
  toFunctionSelector,
} from "viem";
import { NATIVE } from "../chain.ts";
import type { RpcCaller, RpcClient } from "../rpc/client.ts";
import { RpcRefused } from "../rpc/errors.ts";
import type { RpcCall } from "../rpc/provider.ts";
import { TOKEN_SELECTORS } from "./contract-calls.ts";
import { decodeAggregate, encodeAggregate, MULTICALL } from "./multicall.ts";
import { selectorOf } from "./signatures.ts";
import { createEvmQueries, textOf } from "./tokens.ts";

const addressOf = (digit: string) => `0x${digit.repeat(40)}`;
const text = (value: string): Hex => encodeAbiParameters([{ type: "string" }], [value]);
const number = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value]);

test("selectors are the ones that others compute for their signatures", () => {
  for (const signature of ["symbol()", "balanceOf(address)", "aggregate3((address,bool,bytes)[])"])
    expect<string>(selectorOf(signature)).toBe(toFunctionSelector(signature));
});

test("for any calls, the multicall is encoded and its answer decoded as the contract's ABI says", () => {
  const data = fc.uint8Array({ maxLength: 100 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
  const call = fc.record({ to: fc.constantFrom(addressOf("a"), addressOf("1")), data });
  const answer = fc.record({ success: fc.boolean(), returnData: data });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 20 }), fc.array(answer, { maxLength: 20 }), (calls, answers) => {
      const { args } = decodeFunctionData({ abi: multicall3Abi, data: encodeAggregate(calls) as Hex });
      const sent = (args?.[0] ?? []) as readonly {
        target: string;
        allowFailure: boolean;
        callData: string;
      }[];
      expect(sent.map(({ target, callData }) => ({ to: target.toLowerCase(), data: callData }))).toEqual(
        calls,
      );
      expect(sent.every(({ allowFailure }) => allowFailure)).toBe(true);
      const encoded = encodeFunctionResult({
        abi: multicall3Abi,
        functionName: "aggregate3",
        result: answers as { success: boolean; returnData: Hex }[],
      });
      expect(decodeAggregate(encoded, answers.length)).toEqual(
        answers.map(({ success, returnData }) => (success ? returnData : null)),
      );
      expect(decodeAggregate(encoded, answers.length + 1)).toBeNull();
    }),
  );
});

test("an answer of any bytes is decoded or refused, and never throws", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 5 }), (bytes, count) => {
      const answer = `0x${Buffer.from(bytes).toString("hex")}`;
      const decoded = decodeAggregate(answer, count);
      expect(decoded === null || decoded.length === count).toBe(true);
      const name = textOf(answer);
      expect(name === null || [...name].length <= 128).toBe(true);
    }),
  );
});

test("names come as strings or as 32 padded bytes, and hostile ones stay text", () => {
  expect(textOf(text("USD Coin"))).toBe("USD Coin");
  expect(textOf(stringToHex("MKR", { size: 32 }))).toBe("MKR");
  expect(textOf(text("<img src=x onerror=alert(1)>"))).toBe("<img src=x onerror=alert(1)>");
  expect(textOf(text("a\u0000b\u001b[31m"))).toBe("ab[31m");
  expect(textOf(text("é".repeat(500)))).toBe("é".repeat(128));
  expect(textOf(text("  "))).toBeNull();
  expect(textOf("0x")).toBeNull();
  expect(textOf(`0x${"ff".repeat(64)}`)).toBeNull();
});

const [GOOD, BAD] = [addressOf("a"), addressOf("b")];
const SAID: Record<string, Hex> = {
  [GOOD + TOKEN_SELECTORS.symbol]: text("GOOD"),
  [GOOD + TOKEN_SELECTORS.name]: text("Good Token"),
  [GOOD + TOKEN_SELECTORS.decimals]: number(6n),
  [GOOD + TOKEN_SELECTORS.totalSupply]: number(10n ** 30n),
  [BAD + TOKEN_SELECTORS.decimals]: number(2n ** 200n),
};

/** A chain with or without the multicall contract, with one good token. */
function fakeRpc(hasMulticall: boolean): { rpc: RpcClient; calls: RpcCall[] } {
  const calls: RpcCall[] = [];
  const one = ({ method, params }: RpcCall) => {
    const [request] = params as [{ to: string; data: Hex }];
    if (method === "eth_getBalance") return "0x7";
    if (method === "eth_getCode") return hasMulticall ? "0x60" : "0x";
    const say = (to: string, data: string) =>
      data.startsWith(TOKEN_SELECTORS.balanceOf) && to === GOOD ? number(42n) : SAID[to + data.slice(0, 10)];
    if (request.to !== MULTICALL) return say(request.to, request.data) ?? null;
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: request.data });
    const sent = (args?.[0] ?? []) as readonly { target: string; callData: string }[];
    const result = sent.map(({ target, callData }) => {
      const said = say(target.toLowerCase(), callData);
      return { success: said !== undefined, returnData: said ?? ("0x" as Hex) };
    });
    return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result });
  };
  const batch: RpcClient["batch"] = async (some) =>
    some.map((call) => {
      calls.push(call);
      const result = one(call);
      const refused = new RpcRefused(call.method, 3, "reverted", "node");
      return result === null ? { host: "node", refused } : { host: "node", result };
    });
  const call: RpcClient["call"] = async (method, params) => one({ method, params });
  const rest = {
    providers: 1,
    each: () => [],
    ask: async () => [],
    distrust: () => {},
    preferred: () => "node",
    health: () => [],
  };
  return { rpc: { ...rest, batch, call }, calls };
}

test.each([true, false])(
  "token facts and balances are read with (%p) or without the multicall contract",
  async (has) => {
    const { rpc, calls } = fakeRpc(has);
    const queries = createEvmQueries(rpc);
    expect(await queries.tokens([GOOD, BAD])).toEqual([
      { token: GOOD, symbol: "GOOD", name: "Good Token", decimals: 6, supplyRaw: 10n ** 30n },
      { token: BAD, symbol: null, name: null, decimals: null, supplyRaw: null },
    ]);
    expect(calls).toHaveLength(has ? 1 : 8);
    expect(await queries.balances(addressOf("c"), [NATIVE, GOOD, BAD], null)).toEqual([
      { token: NATIVE, amountRaw: 7n },
      { token: GOOD, amountRaw: 42n },
    ]);
  },
);

test("each provider is asked separately for holdings; one that fails or is on another fork is left out", async () => {
  const zeros = `0x${"0".repeat(64)}`;
  const caller = (hash: string, amount: bigint | null): RpcCaller => ({
    async call(method) {
      if (amount === null) throw new RpcRefused(method, 0, "down", "node");
      if (method === "eth_getCode") return "0x";
      return { number: "0x7", hash, parentHash: zeros, timestamp: "0x1", logsBloom: "0x" };
    },
    batch: async (calls) => calls.map(() => ({ host: "node", result: number(amount ?? 0n) })),
  });
  const own = `0x${"a".repeat(64)}`;
  const each = () => [caller(own, 1n), caller(own, null), caller(`0x${"b".repeat(64)}`, 2n), caller(own, 3n)];
  const { held } = createEvmQueries({ ...fakeRpc(false).rpc, each }, [], null, undefined, 1);
  const block = { chainId: 1, height: 7, hash: own, parentHash: zeros, timeMs: 1_000 };
  const said = await held?.opinions([{ wallet: addressOf("c"), token: GOOD }], block);
  expect(said?.map(({ amounts }) => amounts)).toEqual([[1n], [3n]]);
});
