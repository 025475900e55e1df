/** @jsxImportSource preact */
// Takes the watchlist to a chat where the operator runs a bot: Telegram opens with the list, Discord with an invitation and
// the one command to write.
import { useState } from "preact/hooks";
import { carriedWord } from "../../contract/carried-word.ts";
import { callSite, failureOf } from "../shared/api.ts";
import { Card, Copyable } from "../shared/bits.tsx";
import { usePage } from "../shared/query.tsx";
import type { Watchlist } from "../shared/watchlist.ts";

/** View channels and send messages. */
const DISCORD_PERMISSIONS = 3_072;

const invitationOf = (application: string) =>
  `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot+applications.commands&permissions=${DISCORD_PERMISSIONS}`;

export function ChatCard({ list }: { list: Watchlist }) {
  const { telegram, discord } = usePage().bots ?? {};
  const [refused, setRefused] = useState("");
  const [word, setWord] = useState<string | null>(null);
  if (!telegram && !discord) return null;
  const leave = async (): Promise<string | null> => {
    const tokens = list.tokens.map(({ address, networkId }) => ({ address, networkId }));
    const answer = await callSite("POST", "/lists", { traders: list.traders, tokens });
    const failure = failureOf(answer);
    setRefused(failure?.message ?? "");
    return failure ? null : carriedWord((answer.body as { code: string }).code);
  };
  const openTelegram = async () => {
    const left = await leave();
    if (left) location.assign(`https://t.me/${telegram}?start=${left}`);
  };
  return (
    <Card title="In a chat">
      <p class="note">
        {telegram ? (
          <button type="button" class="plain small" onClick={() => void openTelegram()}>
            Telegram
          </button>
        ) : null}{" "}
        {discord ? (
          <button type="button" class="plain small" onClick={async () => setWord(await leave())}>
            Discord
          </button>
        ) : null}
      </p>
      {word && discord ? (
        <p class="note">
          <a href={invitationOf(discord)}>Add the bot to your server</a>, then write in a channel:{" "}
          <Copyable text={`/follow what: ${word}`} shown={`/follow what: ${word}`} label="the command" />
        </p>
      ) : null}
      <p class="soft note" role="status">
        {refused || "Alerts of this list, by this site's bot. The first 50."}
      </p>
    </Card>
  );
}
