// Pictures of traders and tokens, drawn by the platform and served from our own address: free, without a key, and
// unable to run or fetch anything in a reader's browser.
import type { Chains } from "../../contract/chains.ts";
import { fault } from "../../contract/errors.ts";
import { isUuid } from "../../kit/ids.ts";
import { queryOf } from "../../kit/target.ts";
import { faceSvg } from "../../web/shared/face.ts";
import { accepts } from "../api/compress.ts";
import { didNotFinish, unanswered } from "../api/live.ts";
import type { SitePage } from "../api/page.ts";
import { IMAGES_PATH } from "../api/present/labels.ts";
import type { Upstream } from "../upstream/port.ts";

/** A subject's picture never changes. */
const CACHE_SECONDS = 86_400;
/** A face is a placeholder for a picture that may be there next time. */
const FACE_SECONDS = 300;
const NAME_LENGTH_MAX = 64;
/** About two kilobytes each; the least recently used is evicted first. */
const KEPT_MAX = 4_000;
const CHAIN = /^[a-z0-9-]{1,32}$/;
const ADDRESS = /^[A-Za-z0-9:._-]{1,64}$/;
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export interface ImagePagesParts {
  upstream: Pick<Upstream, "image">;
  deadlineMs: number;
  chains: Pick<Chains, "list">;
  /** Counts an uncached picture against the caller's address; throws the 429. */
  pace(address: string): Promise<unknown>;
}

export function imagePages({
  upstream,
  deadlineMs,
  chains,
  pace,
}: ImagePagesParts): Record<string, SitePage> {
  const kept = new Map<string, Drawn>();

  const picture = async (kind: "avatar" | "token", id: string, address: string): Promise<Drawn> => {
    const key = `${kind} ${id}`;
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    await pace(address);
    const outcome = await upstream.image(kind, id, { deadlineMs });
    if (unanswered(outcome)) throw didNotFinish("the picture");
    if (outcome.kind !== "found") throw fault("not_found", "There is no such picture.");
    if (kept.size >= KEPT_MAX) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    const { svg } = outcome.value;
    const drawn = { svg, gzip: Bun.gzipSync(Buffer.from(svg)) };
    kept.set(key, drawn);
    return drawn;
  };

  /** A platform may use another name for a chain than we do. */
  const tokenPicture = async (chain: string, address: string, from: string): Promise<Drawn> => {
    const others = chains.list.find(({ name }) => name === chain)?.aliases ?? [];
    let asked = picture("token", `${chain}/${address}`, from);
    for (const other of others) asked = asked.catch(() => picture("token", `${other}/${address}`, from));
    return asked;
  };

  /** A page that requests a trader's picture always gets one: the platform's, or a face generated from the name. */
  const orFace = async (request: Request, ask: () => Promise<Drawn>): Promise<Response> => {
    const name = queryOf(request.url).get("face");
    if (name === null) return sent(request, await ask());
    return ask().then(
      (drawn) => sent(request, drawn),
      () => sent(request, { svg: faceSvg(name.slice(0, NAME_LENGTH_MAX)), gzip: null }),
    );
  };

  const named = (file: string | undefined) => (file?.endsWith(".svg") ? file.slice(0, -".svg".length) : "");
  return {
    [`${IMAGES_PATH}avatar/{file}`]: {
      GET: (request, from) => {
        const id = named(request.params?.file);
        if (!isUuid(id)) throw fault("not_found", "There is no such picture.");
        return orFace(request, () => picture("avatar", id, from));
      },
    },
    [`${IMAGES_PATH}token/{chain}/{file}`]: {
      GET: (request, from) => {
        const address = named(request.params?.file);
        const chain = request.params?.chain ?? "";
        if (!ADDRESS.test(address) || !CHAIN.test(chain))
          throw fault("not_found", "There is no such picture.");
        return orFace(request, () => tokenPicture(chain, address, from));
      },
    },
  };
}

/** A face is not compressed: it is hardly longer than its headers. */
interface Drawn {
  svg: string;
  gzip: Uint8Array<ArrayBuffer> | null;
}

function sent(request: Request, { svg, gzip }: Drawn): Response {
  const isZipped = gzip !== null && accepts(request.headers.get("accept-encoding"), "gzip");
  return new Response(isZipped ? gzip : svg, {
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy": SVG_POLICY,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      vary: "accept-encoding",
      "cache-control":
        gzip === null ? `public, max-age=${FACE_SECONDS}` : `public, max-age=${CACHE_SECONDS}, immutable`,
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    },
  });
}

/** The longest a page waits to learn whether there are pictures; until then it shows faces. */
const ASKED_MS_MAX = 200;

/** Asks until the platform has answered, which then holds for this process. */
export function createDrawsPictures({ upstream }: { upstream: Pick<Upstream, "capabilities"> }) {
  let known: boolean | null = null;
  return async (): Promise<boolean> => {
    if (known !== null) return known;
    const outcome = await upstream.capabilities({ deadlineMs: ASKED_MS_MAX });
    if (outcome.kind !== "found") return false;
    known = outcome.value.questions.includes("image");
    return known;
  };
}
