// Frames for other sites: the only pages that others may frame. They contain no script, set no cookie and take no input, so
// clickjacking gains nothing.
import { queryOf } from "../../kit/target.ts";
import { servingTurn } from "../../kit/turn.ts";
import type { AssetUrls } from "../../web/assets/assets.ts";
import { EMBED_PAGES, type EmbedPage, renderEmbed, renderEmbedNotice } from "../../web/embed/page.tsx";
import type { Loaded, PageData } from "../../web/shared/data.ts";
import type { PageRequest, SitePage } from "../api/page.ts";
import type { PagePace } from "./page-pace.ts";
import { compressedHtml } from "./pages.ts";

const EMBED_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors *",
].join("; ");

export interface EmbedsParts {
  load(path: string, address: string): Promise<Loaded>;
  pace: PagePace;
  assets: AssetUrls;
  publicUrl: () => string;
  dataOf(request: PageRequest, params: Record<string, string>, query: Record<string, string>): PageData;
}

export function createEmbeds({
  load,
  pace,
  assets,
  publicUrl,
  dataOf,
}: EmbedsParts): Record<string, SitePage> {
  const show = async (page: EmbedPage, request: PageRequest, address: string) => {
    await pace(address);
    const params = request.params ?? {};
    const answers = await Promise.all(page.calls(params).map((path) => load(path, address)));
    const theme = queryOf(request.url).get("theme");
    const data = dataOf(request, params, theme === null ? {} : { theme });
    await servingTurn();
    const [first] = answers;
    const headers = { "content-security-policy": EMBED_POLICY };
    if (first?.status !== 200) {
      const isGone = first !== undefined && first.status < 500 && first.status !== 429;
      const words = isGone ? "There is nothing of that name." : "This can't be read right now.";
      return compressedHtml(request, renderEmbedNotice(words, !isGone, assets), {
        status: isGone ? 404 : 503,
        headers,
      });
    }
    const bodies = answers.map(({ status, body }) => (status === 200 ? body : null));
    return compressedHtml(request, renderEmbed(page, bodies, { data, origin: publicUrl(), assets }), {
      headers,
    });
  };
  return Object.fromEntries(
    EMBED_PAGES.map((page) => [
      page.path,
      { GET: (request: PageRequest, address: string) => show(page, request, address) },
    ]),
  );
}
