// A list from the explorer, by the code in its link: follows by ids that the service looked up, so none is searched for.
import type { Crowdtape } from "../../client/src/client.ts";
import { CarriedList } from "../../contract/carried-list.ts";
import { CARRIED_WORD } from "../../contract/carried-word.ts";
import type { Chains } from "../../contract/chains.ts";
import type { ChatFollow } from "./follow.ts";
import { Unclear } from "./unclear.ts";
import { tokenLabel } from "./wish.ts";

export const isListWord = (word: string | undefined): word is string =>
  word !== undefined && CARRIED_WORD.test(word);

export async function readList(
  client: Pick<Crowdtape, "send">,
  word: string,
  chains: Chains,
): Promise<ChatFollow[]> {
  const [, code] = CARRIED_WORD.exec(word) ?? [];
  const { body } = await client.send("GET", `/lists/${code}`);
  const list = CarriedList.safeParse(body);
  if (!list.success) throw new Unclear("That list can't be read.");
  const { traders, tokens } = list.data;
  return [
    ...traders.map(({ handle, userId }) => ({ label: `@${handle}`, userId })),
    ...tokens.map(({ address, networkId: chainId, symbol }) => ({
      label: tokenLabel({ symbol, address, chain: chains.nameOf(chainId) }),
      token: { chainId, address },
    })),
  ];
}
