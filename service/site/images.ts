// Pictures of traders and tokens, drawn by the platform and passed on from our own address: free, without a key, and
// unable to run or fetch anything in a reader's browser.
import { fault } from "../../contract/errors.ts";
import { isUuid } from "../../kit/ids.ts";
import { didNotFinish, unanswered } from "../api/live.ts";
import type { SitePage } from "../api/page.ts";
import { IMAGES_PATH } from "../api/present/labels.ts";
import type { Upstream } from "../upstream/port.ts";

/** A picture belongs to its subject for good. */
const CACHE_SECONDS = 86_400;
/** About a kilobyte each; the longest unused goes first. */
const KEPT_MAX = 4_000;
const CHAIN = /^[a-z0-9-]{1,32}$/;
const ADDRESS = /^[A-Za-z0-9:._-]{1,64}$/;
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export interface ImagePagesParts {
  upstream: Pick<Upstream, "image">;
  deadlineMs: number;
  /** Counts a picture that has to be asked for against its address; throws the 429. */
  pace(address: string): Promise<unknown>;
}

export function imagePages({ upstream, deadlineMs, pace }: ImagePagesParts): Record<string, SitePage> {
  const kept = new Map<string, string>();

  const picture = async (kind: "avatar" | "token", id: string, address: string): Promise<Response> => {
    const key = `${kind} ${id}`;
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return sent(known);
    }
    await pace(address);
    const outcome = await upstream.image(kind, id, { deadlineMs });
    if (unanswered(outcome)) throw didNotFinish("the picture");
    if (outcome.kind !== "found") throw fault("not_found", "There is no such picture.");
    if (kept.size >= KEPT_MAX) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    kept.set(key, outcome.value.svg);
    return sent(outcome.value.svg);
  };

  const named = (file: string | undefined) => (file?.endsWith(".svg") ? file.slice(0, -".svg".length) : "");
  return {
    [`${IMAGES_PATH}avatar/{file}`]: {
      GET: ({ params }, from) => {
        const id = named(params?.file);
        if (!isUuid(id)) throw fault("not_found", "There is no such picture.");
        return picture("avatar", id, from);
      },
    },
    [`${IMAGES_PATH}token/{chain}/{file}`]: {
      GET: ({ params }, from) => {
        const address = named(params?.file);
        const chain = params?.chain ?? "";
        if (!ADDRESS.test(address) || !CHAIN.test(chain))
          throw fault("not_found", "There is no such picture.");
        return picture("token", `${chain}/${address}`, from);
      },
    },
  };
}

function sent(svg: string): Response {
  return new Response(svg, {
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy": SVG_POLICY,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "cache-control": `public, max-age=${CACHE_SECONDS}, immutable`,
    },
  });
}
