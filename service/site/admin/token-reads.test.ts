// What the operator's search for tokens finds, of a directory and of a platform that knows more than it.
import { expect, test } from "bun:test";
import { tokenInfo } from "../../../test/support/nouns.ts";
import type { TokenVerdict } from "../../store/captured/verdicts.ts";
import type { Upstream } from "../../upstream/port.ts";
import { createTokenReads } from "./token-reads.ts";

const listed = tokenInfo({ symbol: "LISTED", address: `0x${"a1".repeat(20)}` });
const newcomer = tokenInfo({ symbol: "NEWCOMER", address: `0x${"b2".repeat(20)}` });
const verdict: TokenVerdict = {
  address: newcomer.address,
  networkId: newcomer.networkId,
  verdict: "spam",
  judgedBy: "key",
  judgedAt: 0,
};
const { signal } = new AbortController();

function readsOf(answer: Awaited<ReturnType<Upstream["search"]>>) {
  const asked: string[] = [];
  const read = createTokenReads({
    search: { find: (q) => (q === listed.address ? [{ type: "token", token: listed }] : []) },
    upstream: {
      search: async (q) => {
        asked.push(q);
        return answer;
      },
    },
    upstreamDeadlineMs: 1_000,
    moderation: {
      verdictOf: ({ address }) => (address === verdict.address ? verdict : null),
      list: () => [verdict],
    },
  });
  return { asked, find: async (q: string) => (await read(q, "", signal)).rows };
}

test("a token that only the platform knows yet is found, with the operator's verdict on it", async () => {
  const { asked, find } = readsOf({ kind: "found", value: { traders: [], tokens: [newcomer] } });
  expect(await find(` ${newcomer.address} `)).toEqual([
    {
      address: newcomer.address,
      networkId: newcomer.networkId,
      symbol: "NEWCOMER",
      name: newcomer.name,
      verdict: "spam",
      judgedBy: "key",
      judgedAt: new Date(0).toISOString(),
    },
  ]);
  expect(asked).toEqual([newcomer.address]);
});

test("the platform is not asked for a token in the directory, or for the tokens that were judged", async () => {
  const { asked, find } = readsOf({ kind: "found", value: { traders: [], tokens: [newcomer] } });
  expect((await find(listed.address)).map(({ symbol, verdict }) => [symbol, verdict])).toEqual([
    ["LISTED", null],
  ]);
  expect((await find("")).map(({ address }) => address)).toEqual([newcomer.address]);
  expect(asked).toEqual([]);
});

test("a platform that does not answer is an error that may be retried, and never an empty list", async () => {
  for (const answer of [{ kind: "timedOut" }, { kind: "failed", reason: "unreachable" }] as const)
    await expect(readsOf(answer).find(newcomer.address)).rejects.toMatchObject({ code: "upstream_timeout" });
  expect(await readsOf({ kind: "notFound" }).find(newcomer.address)).toEqual([]);
});
