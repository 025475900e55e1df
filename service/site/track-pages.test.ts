// A visitor may have a wallet tracked: only a wallet, within the address's rate, and while there is room.
import { expect, test } from "bun:test";
import { fault } from "../../contract/errors.ts";
import { type TrackWallet, trackPages } from "./track-pages.ts";

const WALLET = `0x${"aB".repeat(20)}`;

function open(outcome: Awaited<ReturnType<TrackWallet>>["outcome"] = "added") {
  const tracked: string[] = [];
  let uses = 0;
  const pages = trackPages({
    track: async (wallet) => {
      tracked.push(wallet);
      return { handle: "wallet_1", outcome };
    },
    visitors: { require: async () => {} },
    pace: async () => {},
    limits: {
      async require() {
        uses += 1;
        if (uses > 2) throw fault("rate_limited", "At most twice.");
      },
    },
  });
  const post = pages["/page-data/track"]?.POST;
  const send = async (body: unknown) => {
    const headers = { "content-type": "application/json" };
    const request = new Request("http://page/", { method: "POST", headers, body: JSON.stringify(body) });
    return post?.(request, "203.0.113.9", "203.0.113.9");
  };
  return { tracked, send };
}

test("a wallet is tracked in its normal form, under the handle that it gets", async () => {
  const { tracked, send } = open();
  expect(await (await send({ wallet: WALLET }))?.json()).toEqual({ handle: "wallet_1" });
  expect(tracked).toEqual([WALLET.toLowerCase()]);
});

test("an invalid wallet is refused before it counts, and so is one too many", async () => {
  const { tracked, send } = open();
  for (const body of [{}, null, [], { wallet: "0x12" }, { wallet: 1 }, { wallet: WALLET, handle: "me" }])
    await expect(send(body)).rejects.toThrow(/wallet|field|body/);
  await send({ wallet: WALLET });
  await send({ wallet: WALLET });
  await expect(send({ wallet: WALLET })).rejects.toThrow("At most twice.");
  expect(tracked).toHaveLength(2);
  await expect(open("full").send({ wallet: WALLET })).rejects.toThrow("reached its limit");
});
