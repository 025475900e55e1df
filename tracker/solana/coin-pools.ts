// The price of SOL in its deep pools: Raydium's hold their reserves in two vaults, Orca's store the price itself. A Solana node
// only knows the present, so the result is stored with its time.
import { type CoinSource, median } from "../prices/coins.ts";
import type { RpcClient } from "../rpc/client.ts";
import { encodeBase58 } from "./base58.ts";

const RAYDIUM = { bytes: 752, decimals: [32, 40], vaults: [336, 368] } as const;
const ORCA = { bytes: 653, sqrtPrice: 65 } as const;
/** Where a token account stores its amount. */
const AMOUNT_OFFSET = 64;
const SOL_PER_USDC_UNIT = 10 ** (9 - 6);

export function createSolanaPoolsSource(
  rpc: RpcClient,
  pools: readonly string[],
  now: () => number,
): CoinSource {
  const accounts = async (addresses: readonly string[]): Promise<(Buffer | null)[]> => {
    const params = [addresses, { encoding: "base64", commitment: "finalized" }];
    const { value } = (await rpc.call("getMultipleAccounts", params)) as { value?: unknown };
    return (Array.isArray(value) ? value : []).map((account) => {
      const data: unknown = (account as { data?: unknown } | null)?.data;
      return Array.isArray(data) && typeof data[0] === "string" ? Buffer.from(data[0], "base64") : null;
    });
  };
  const priceOf = async (data: Buffer | null | undefined): Promise<number | null> => {
    if (data?.length === ORCA.bytes) return orcaPrice(data);
    if (data?.length !== RAYDIUM.bytes) return null;
    const vaults = RAYDIUM.vaults.map((offset) => encodeBase58(data.subarray(offset, offset + 32)));
    const [coins, dollars] = (await accounts(vaults)).map((vault) =>
      vault && vault.length > AMOUNT_OFFSET ? Number(vault.readBigUInt64LE(AMOUNT_OFFSET)) : 0,
    );
    const [coinDigits, dollarDigits] = RAYDIUM.decimals.map((offset) => Number(data.readBigUInt64LE(offset)));
    if (!coins || !dollars) return null;
    return (dollars / coins) * 10 ** (Number(coinDigits) - Number(dollarDigits));
  };
  return {
    name: "pools",
    async now() {
      const prices: number[] = [];
      for (const data of await accounts(pools)) {
        const price = await priceOf(data);
        if (price !== null && price > 0) prices.push(price);
      }
      const priceUsd = median(prices);
      return priceUsd === null ? null : { priceUsd, asOf: now() };
    },
  };
}

/** SOL is the first token and USDC the second; the square root is fixed point with 64 bits. */
function orcaPrice(data: Buffer): number {
  const low = data.readBigUInt64LE(ORCA.sqrtPrice);
  const high = data.readBigUInt64LE(ORCA.sqrtPrice + 8);
  return (Number((high << 64n) | low) / 2 ** 64) ** 2 * SOL_PER_USDC_UNIT;
}
