/** @jsxImportSource preact */
// Paper following: an account without money that copies this trader from now on, by the terms of the sliders. It belongs to a
// key's owner; visitors without a key in this tab are asked for one.
import { useEffect, useState } from "preact/hooks";
import type { Follow, FollowsAnswer } from "../../client/src/generated.ts";
import { call, failureOf, keyOfTab } from "../shared/api.ts";
import { Gain } from "../shared/bits.tsx";
import { counted, usd } from "../shared/format.ts";
import { usePage } from "../shared/query.tsx";
import { ORDERS_PAID_FOR } from "./card-paths.ts";

export function PaperFollow({
  handle,
  sizeUsd,
  delaySeconds,
}: {
  handle: string;
  sizeUsd: number;
  delaySeconds: number;
}) {
  const { mode } = usePage();
  const [hasKey, setHasKey] = useState(false);
  const [follow, setFollow] = useState<Follow | null>(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    if (keyOfTab() === null) return;
    setHasKey(true);
    void call("/v2/follows", mode).then((answer) => {
      const { follows } = (failureOf(answer) ? { follows: [] } : answer.body) as FollowsAnswer;
      const isThis = (one: Follow) => one.handle.toLowerCase() === handle.toLowerCase();
      setFollow(follows.find((one) => one.status === "active" && isThis(one)) ?? null);
    });
  }, [handle]);
  const change = async (method: "POST" | "DELETE", path: string, body?: unknown) => {
    const answer = await call(path, mode, { method, body });
    const failure = failureOf(answer);
    setWords(failure?.message ?? "");
    if (!failure) setFollow(method === "POST" ? (answer.body as Follow) : null);
  };
  const begin = () =>
    change("POST", "/v2/follows", {
      trader: handle,
      delaySeconds,
      capitalUsd: sizeUsd * ORDERS_PAID_FOR,
      size: { mode: "fixed", value: sizeUsd },
    });
  if (!hasKey)
    return (
      <p class="note soft">
        <a href="/console">Enter a key</a> to follow this trader on paper from now on.
      </p>
    );
  return (
    <p class="note" role="status">
      {follow ? (
        <>
          <span>
            Followed on paper with {usd(follow.terms.capitalUsd)}: <Gain usd={follow.pnlUsd} /> after{" "}
            {counted(follow.orders, "order")}.
          </span>{" "}
          <button
            type="button"
            class="plain small"
            onClick={() => void change("DELETE", `/v2/follows/${follow.id}`)}
          >
            Stop
          </button>
        </>
      ) : (
        <button type="button" class="plain small" onClick={() => void begin()}>
          Follow on paper
        </button>
      )}{" "}
      {words}
    </p>
  );
}
