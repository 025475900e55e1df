// TradingView's UDF protocol at /udf: candles as bars, tracked traders' fills and theses as marks, so that any chart library
// that speaks it shows them. Each answer is built from the contract's own reads and costs what those cost.
import type { Chains } from "../../../contract/chains.ts";
import { errorBody, Fault } from "../../../contract/errors.ts";
import { freshRequestId } from "../../../kit/ids.ts";
import { queryOf } from "../../../kit/target.ts";
import type { SitePage } from "../../api/page.ts";
import { json } from "../pages.ts";
import { readBars } from "./bars.ts";
import { readMarks, readTimescaleMarks } from "./marks.ts";
import { readQuotes } from "./quotes.ts";
import { type ChartReader, readerFor, type UdfAccess } from "./reader.ts";
import { RESOLUTIONS, readRange } from "./resolutions.ts";
import { findSymbols, presentSymbol, readOverview, symbolOf } from "./symbols.ts";

export interface UdfParts extends UdfAccess {
  chains: Chains;
}

export function udfPages(parts: UdfParts): Record<string, SitePage> {
  const { chains } = parts;
  const symbolIn = (query: URLSearchParams, reader: ChartReader) =>
    symbolOf(query.get("symbol"), reader, chains);
  /** For requests with a symbol and a range: the range is parsed first, because that is free. */
  const ranged =
    <T>(
      read: (
        symbol: Awaited<ReturnType<typeof symbolIn>>,
        range: ReturnType<typeof readRange>,
        reader: ChartReader,
        query: URLSearchParams,
      ) => Promise<T>,
    ) =>
    async (query: URLSearchParams, reader: ChartReader) => {
      const range = readRange(query);
      return read(await symbolIn(query, reader), range, reader, query);
    };
  const answers: Record<string, (query: URLSearchParams, reader: ChartReader) => Promise<unknown>> = {
    "/udf/symbols": async (query, reader) =>
      presentSymbol(await readOverview(await symbolIn(query, reader), reader)),
    "/udf/search": findSymbols,
    "/udf/history": ranged((symbol, range, reader, query) =>
      readBars(symbol, range, countbackIn(query), reader),
    ),
    "/udf/marks": ranged(readMarks),
    "/udf/timescale_marks": ranged(readTimescaleMarks),
    "/udf/quotes": (query, reader) => readQuotes(query, reader, chains),
  };
  const served = Object.entries(answers).map(([path, answer]): [string, SitePage] => [
    path,
    {
      GET: (request, address) =>
        refusing(async () => {
          const reader = readerFor(request, address, parts);
          const response = json(await answer(queryOf(request.url), reader));
          response.headers.set("x-credits-cost", String(reader.credits()));
          return response;
        }),
    },
  ]);
  return { "/udf/config": { GET: () => json(configOf(chains)) }, ...Object.fromEntries(served) };
}

const countbackIn = (query: URLSearchParams) => Math.max(0, Math.floor(Number(query.get("countback"))) || 0);

function configOf(chains: Chains) {
  return {
    supports_search: true,
    supports_group_request: false,
    supports_marks: true,
    supports_timescale_marks: true,
    supports_time: false,
    exchanges: [
      { value: "", name: "All chains", desc: "Every chain" },
      ...chains.list.map(({ name }) => ({ value: name, name, desc: name })),
    ],
    symbols_types: [{ name: "Tokens", value: "crypto" }],
    supported_resolutions: Object.keys(RESOLUTIONS),
  };
}

/** Chart libraries read `s` and `errmsg`, not the status. */
async function refusing(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const body = { s: "error", errmsg: error.message, ...errorBody(error, freshRequestId()) };
    const { status } = error;
    return new Response(JSON.stringify(body), { status, headers: json(null).headers });
  }
}
