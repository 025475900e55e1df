/** @jsxImportSource preact */
// Sharing the current page: its link, the card in a link preview, and if available the embed code for other sites.
import { useEffect, useState } from "preact/hooks";
import { Copyable } from "../shared/bits.tsx";
import { usePage } from "../shared/query.tsx";

const [FRAME_WIDTH, FRAME_HEIGHT] = [360, 310];

/** Escaped by the browsers that read it as an attribute of the frame. */
const frameCode = (url: string) =>
  `<iframe src="${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" style="border:0" loading="lazy" title="Crowdtape"></iframe>`;

export function Share(props: { href: string; card: string; embed?: string }) {
  const { mode } = usePage();
  const [origin, setOrigin] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setOrigin(location.origin), []);
  // Cards are loaded without a key, so only an open explorer has them.
  if (mode !== "open") return null;
  return (
    <details class="share" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="chip">share</summary>
      <div class="share-box">
        <a href={props.card} target="_blank" rel="noopener">
          {/* The server renders it: loaded only when opened. */}
          <img
            src={isOpen ? props.card : undefined}
            alt="The card that a shared link shows"
            width="300"
            height="158"
          />
        </a>
        <p>
          <Copyable text={origin + props.href} shown="Link" label="the link" />
          <Copyable text={origin + props.card} shown="Card" label="the card's address" />
          {props.embed ? (
            <Copyable text={frameCode(origin + props.embed)} shown="Frame" label="code for your site" />
          ) : null}
        </p>
      </div>
    </details>
  );
}
