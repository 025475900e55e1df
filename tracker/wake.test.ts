import { expect, test } from "bun:test";
import { answerWake, WAKE_PROVIDERS, wakeInstructions } from "./wake.ts";

const SECRET = "sixteen-characters-or-more";
const EVM = "0xabcdef0123456789abcdef0123456789abcdef01";
const SOLANA = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";

function ask(
  body: string,
  headers: Record<string, string>,
  provider = "helius",
  secret: string | null = SECRET,
) {
  const woken: string[] = [];
  const request = new Request("http://127.0.0.1/tracker/wake/x", { method: "POST", headers, body });
  const answer = answerWake(request, provider, {
    secret,
    isWatched: (wallet) => wallet === EVM || wallet === SOLANA,
    wake: (wallets) => woken.push(...wallets),
  });
  return answer.then((response) => ({ status: response.status, woken }));
}

test("our wallets anywhere in a call are looked at, in each provider's own format", async () => {
  const helius = JSON.stringify([
    { accountData: [{ account: SOLANA }], nativeTransfers: [{ toUserAccount: "x" }] },
  ]);
  expect(await ask(helius, { authorization: SECRET })).toEqual({ status: 200, woken: [SOLANA] });
  const alchemy = JSON.stringify({
    event: { activity: [{ toAddress: EVM.toUpperCase().replace("0X", "0x") }] },
  });
  expect(await ask(alchemy, { "x-wake-secret": SECRET }, "alchemy")).toEqual({ status: 200, woken: [EVM] });
});

test("without the secret, a known provider or a readable body nothing happens", async () => {
  const body = JSON.stringify({ account: EVM });
  expect(await ask(body, {})).toEqual({ status: 401, woken: [] });
  expect(await ask(body, { authorization: `${SECRET}x` })).toEqual({ status: 401, woken: [] });
  expect(await ask(body, { authorization: SECRET }, "somebody")).toEqual({ status: 404, woken: [] });
  expect(await ask(body, { authorization: SECRET }, "helius", null)).toEqual({ status: 404, woken: [] });
  expect(await ask("{", { authorization: SECRET })).toEqual({ status: 400, woken: [] });
  const deep = `${'{"a":'.repeat(5_000)}"${EVM}"${"}".repeat(5_000)}`;
  expect(await ask(deep, { authorization: SECRET })).toEqual({ status: 200, woken: [] });
});

test("the instructions name the address, the header, the wallets of its chains, and no secret", () => {
  const wallets = { helius: "Solana", alchemy: "EVM", quicknode: "Solana and EVM", moralis: "EVM" };
  const counts = { helius: 1, alchemy: 2, quicknode: 3, moralis: 2 };
  const roster = [
    { solana: [SOLANA], evm: [EVM] },
    { solana: [], evm: [EVM.replace("01", "02")] },
  ];
  for (const provider of WAKE_PROVIDERS) {
    const text = wakeInstructions(provider, "https://tape.example/", roster, true);
    expect(text).toContain(`https://tape.example/tracker/wake/${provider}`);
    expect(text).toContain(`the ${wallets[provider]} wallets of the roster, ${counts[provider]} now`);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("not set");
    expect(wakeInstructions(provider, "https://tape.example/", roster, false)).toContain(
      "which is not set yet",
    );
  }
});
