// Whatever is pasted into the search, it finds the subject.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { nothingFound, readPasted } from "./pasted.ts";

const MINT = "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs";
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
const WALLET = "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B";
const HASH = `0x${"4f".repeat(32)}`;
const WETH = "0x4200000000000000000000000000000000000006";

test("a wallet, a token, a transaction and a name are recognised", () => {
  expect(readPasted(` ${MINT}\n`)).toEqual({ kind: "address", q: MINT });
  expect(readPasted(WALLET)).toEqual({ kind: "address", q: WALLET });
  expect(readPasted(SIGNATURE)).toEqual({ kind: "transaction", q: SIGNATURE });
  expect(readPasted(HASH)).toEqual({ kind: "transaction", q: HASH });
  expect(readPasted("@maya trades")).toEqual({ kind: "name", q: "@maya trades" });
});

const LINKS: [string, string][] = [
  [`https://solscan.io/account/${MINT}`, MINT],
  [`https://solscan.io/tx/${SIGNATURE}?cluster=mainnet`, SIGNATURE],
  [`https://explorer.solana.com/tx/${SIGNATURE}`, SIGNATURE],
  [`etherscan.io/address/${WALLET}#tokentxns`, WALLET],
  [`https://basescan.org/tx/${HASH}`, HASH],
  [`https://bscscan.com/token/${WALLET}?a=${HASH.slice(0, 42)}`, WALLET],
  [`https://dexscreener.com/solana/${MINT}`, MINT],
  [`https://gmgn.ai/sol/token/${MINT}`, MINT],
  [`https://gmgn.ai/sol/address/ref_${MINT}`, MINT],
  [`https://birdeye.so/token/${MINT}?chain=solana`, MINT],
  [`https://pump.fun/coin/${MINT}`, MINT],
  [`https://jup.ag/swap/So11111111111111111111111111111111111111112-${MINT}`, MINT],
  [`https://app.uniswap.org/swap?inputCurrency=${WETH}&outputCurrency=${WALLET}`, WALLET],
  [`https://kolscan.io/account/${MINT}?timeframe=1`, MINT],
  ["https://x.com/maya_trades/status/1773500966535", "maya_trades"],
  ["twitter.com/@maya", "maya"],
  ["https://tape.example/traders/maya%20", "maya"],
  [`http://127.0.0.1:8080/tokens/${MINT}?networkId=1`, MINT],
];

test.each(LINKS)("%s", (link, q) => {
  expect(readPasted(link).q).toBe(q);
});

test("an unrecognised link is searched for as it is, and a money token only when it is alone", () => {
  expect(readPasted("https://x.com/home").kind).toBe("name");
  expect(readPasted(`https://basescan.org/token/${WETH}`).q).toBe(WETH);
});

test("any text gives something that the search accepts", () => {
  fc.assert(
    fc.property(fc.constantFrom("", "https://", "x.com/"), fc.string({ maxLength: 400 }), (start, text) => {
      expect(readPasted(start + text).q.length).toBeLessThanOrEqual(100);
      expect(nothingFound(readPasted(start + text))).not.toBe("");
    }),
  );
});
