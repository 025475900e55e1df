// Closed days as files: the list, and the files themselves.
import { fault } from "../../../contract/errors.ts";
import { FILE_UNIT_BYTES } from "../../../contract/route.ts";
import { ROUTES, type Routes } from "../../../contract/routes.ts";
import type { HistoryFile } from "../../history/manifest.ts";
import type { HistoryReader } from "../../history/reader.ts";
import type { Handler, ServedFile } from "../answer.ts";
import type { Services } from "../services.ts";

/** About 600 KB: four years of one table, or eight months of all. The newest are kept. */
const FILES_MAX = 1_500;
const MISSING = "This server closes no days into files. Its operator sets HISTORY for that.";

export function historyFileRoutes({ history }: Pick<Services, "history">): {
  listHistory: Handler<Routes["listHistory"]>;
  getHistoryFile: Handler<Routes["getHistoryFile"]>;
} {
  return {
    async listHistory({ query: { table, from, to } }) {
      if (!history)
        return {
          body: { updatedAt: null, count: 0, files: [], available: false, truncated: false, note: MISSING },
        };
      const found = (await history.files()).filter(
        (file) =>
          (table === undefined || file.table === table) &&
          (from === undefined || file.date >= from) &&
          (to === undefined || file.date <= to),
      );
      const files = found.slice(-FILES_MAX);
      const truncated = files.length < found.length;
      return {
        body: {
          updatedAt: files.reduce<string | null>((at, file) => later(at, file.closedAt), null),
          count: files.length,
          files: files.map((file) => presented(history, file)),
          truncated,
          note: truncated ? `Only the last ${FILES_MAX}; ask with from and to for the others.` : null,
        },
      };
    },
    async getHistoryFile({ params: { table, date }, query: { format } }) {
      const files = (await history?.files()) ?? [];
      const file = files.find((each) => each.table === table && each.date === date);
      if (!history || !file)
        throw fault(
          "not_found",
          history ? `${table} of ${date} is not closed, or is no longer kept.` : MISSING,
        );
      const body = presented(history, file);
      return format === "json" ? { body, free: true } : { body, file: servedFile(history, file) };
    },
  };
}

const later = (a: string | null, b: string): string => (a === null || a < b ? b : a);

function presented(history: HistoryReader, { source: _source, ...file }: HistoryFile) {
  const units = Math.max(1, Math.ceil(file.bytes / FILE_UNIT_BYTES));
  return {
    ...file,
    download: `/v2/history/${file.table}/${file.date}?format=parquet`,
    credits: units * ROUTES.getHistoryFile.price.credits,
    publicUrl: history.isPublic(file) ? `/history/${file.path}` : null,
  };
}

export function servedFile(history: Pick<HistoryReader, "bytes">, file: HistoryFile): ServedFile {
  return {
    name: `${file.table}-${file.date}.parquet`,
    contentType: "application/vnd.apache.parquet",
    size: file.bytes,
    sha256: file.sha256,
    bytes: (start, end) => history.bytes(file.path, start, end),
  };
}
