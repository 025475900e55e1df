// A list being transferred to a chat: the explorer stores it here, and a bot that is given its code fetches it. It contains
// only traders and tokens that the server knows, so that a code can't carry a stranger's text into a chat.
import { CARRIED_LIST, type CarriedList, CarriedWish } from "../../contract/carried-list.ts";
import { fault } from "../../contract/errors.ts";
import { readInput } from "../../contract/read.ts";
import { secureBase62 } from "../../kit/base62.ts";
import type { Clock } from "../../kit/clock.ts";
import { servingTurn } from "../../kit/turn.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { VISITOR_PREFIX } from "../../web/shared/api.ts";
import type { Visitors } from "../access/visitors.ts";
import { parseJson, readBodyText } from "../api/body.ts";
import type { SitePage } from "../api/page.ts";
import { keepList, listOfCode } from "../store/money/carried-lists.ts";
import type { Store } from "../store/store.ts";
import type { PagePace } from "./page-pace.ts";
import { json } from "./pages.ts";

export interface CarriedListParts {
  store: Pick<Store, "database" | "traders" | "tokens">;
  visitors: Visitors;
  pace: PagePace;
  clock: Clock;
}

const CODE_LENGTH = 22;
const LOOKUPS_A_TURN = 8;

export function carriedListPages({
  store,
  visitors,
  pace,
  clock,
}: CarriedListParts): Record<string, SitePage> {
  const before = () => clock.now() - CARRIED_LIST.keptHours * HOUR_MS;
  return {
    [`${VISITOR_PREFIX}/lists`]: {
      POST: async (request, address) => {
        await visitors.require(request, address);
        await pace(address);
        const given = Object(parseJson(await readBodyText(request))) as Record<string, unknown>;
        const list = await knownOf(store, readInput(CarriedWish, given, "body"));
        const code = secureBase62(CODE_LENGTH);
        const row = { code, body: JSON.stringify(list), at: clock.now() };
        await keepList(store.database, row, { before: before(), listsMax: CARRIED_LIST.listsMax });
        return json({ code, items: list.traders.length + list.tokens.length });
      },
    },
    "/lists/{code}": {
      GET: async (request, address) => {
        await pace(address);
        const body = await listOfCode(store.database, String(request.params?.code), before());
        if (body === null)
          throw fault("not_found", `There is no such list. It is kept for ${CARRIED_LIST.keptHours} hours.`);
        return json(JSON.parse(body));
      },
    },
  };
}

async function knownOf(
  { traders, tokens }: CarriedListParts["store"],
  wish: CarriedWish,
): Promise<CarriedList> {
  const list: CarriedList = { traders: [], tokens: [] };
  let looked = 0;
  const isFull = () => list.traders.length + list.tokens.length >= CARRIED_LIST.itemsMax;
  const breathe = async () => {
    looked += 1;
    if (looked % LOOKUPS_A_TURN === 0) await servingTurn();
  };
  for (const handle of wish.traders) {
    if (isFull()) break;
    const trader = await traders.byHandle(handle);
    if (trader) list.traders.push({ handle: trader.handle, userId: trader.userId });
    await breathe();
  }
  for (const { address, networkId } of wish.tokens) {
    if (isFull()) break;
    const token = (await tokens.byAddress(address)).find((one) => one.networkId === networkId);
    if (token) list.tokens.push({ address: token.address, networkId, symbol: token.symbol });
    await breathe();
  }
  return list;
}
