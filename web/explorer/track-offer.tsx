/** @jsxImportSource preact */
// The page of an address that no known trader has: it says so, and offers to track it if this server's tracker accepts wallets
// from visitors.
import { useState } from "preact/hooks";
import { callSite, failureOf } from "../shared/api.ts";
import { usePage } from "../shared/query.tsx";
import { nothingFound, type Pasted } from "./pasted.ts";

export function TrackOffer({ pasted }: { pasted: Pasted }) {
  const { tracksWallets } = usePage();
  const [words, setWords] = useState("");
  const [handle, setHandle] = useState<string | null>(null);
  if (pasted.kind !== "address" || !tracksWallets) return <>{nothingFound(pasted)}</>;
  const track = async () => {
    const answer = await callSite("POST", "/track", { wallet: pasted.q });
    const failure = failureOf(answer);
    setWords(failure?.message ?? "");
    if (!failure) setHandle((answer.body as { handle: string }).handle);
  };
  if (handle !== null)
    return (
      <span role="status">
        Tracked from now on, as <a href={`/traders/${encodeURIComponent(handle)}`}>@{handle}</a>. Its page
        fills in a minute or two.
      </span>
    );
  return (
    <>
      {nothingFound(pasted)}{" "}
      <button type="button" class="plain small" onClick={() => void track()}>
        Track this wallet
      </button>{" "}
      <span role="status">{words}</span>
    </>
  );
}
