// Days old enough to be public, as plain files: any program that reads Parquet over HTTP can use their URLs.
import { fault } from "../../contract/errors.ts";
import type { SitePage } from "../api/page.ts";
import { fileResponse, partOf } from "../api/ranges.ts";
import { servedFile } from "../api/routes/history-files.ts";
import type { HistoryReader } from "../history/reader.ts";
import type { PagePace } from "./page-pace.ts";

/** A version of a day never changes under its name. */
const FOR_GOOD = "public, max-age=86400, immutable";

const OPEN = { "access-control-allow-origin": "*" };

export function historyPages(history: HistoryReader | null, pace: PagePace): Record<string, SitePage> {
  if (!history?.mayBePublic) return {};
  const list: SitePage["GET"] = async (_request, address) => {
    await pace(address);
    const files = (await history.files()).filter(history.isPublic);
    return Response.json({ files: files.map(({ source: _source, ...file }) => file) }, { headers: OPEN });
  };
  const GET: SitePage["GET"] = async (request, address) => {
    await pace(address);
    const { table = "", day = "", file: name = "" } = request.params ?? {};
    const path = `${table}/${day}/${name}`;
    const file = (await history.files()).find((each) => each.path === path && history.isPublic(each));
    if (!file) throw fault("not_found", "There is no such file, or it is not public.");
    const served = servedFile(history, file);
    const headers = { ...OPEN, "cache-control": FOR_GOOD };
    if (request.headers.get("if-none-match") === `"${file.sha256}"`)
      return new Response(null, { status: 304, headers: { ...headers, etag: `"${file.sha256}"` } });
    return fileResponse(request, served, partOf(request, served), headers);
  };
  return { "/history/manifest.json": { GET: list }, "/history/{table}/{day}/{file}": { GET } };
}
