// A process that only runs its event loop: the length of its turns is the machine's own noise. Run: bun
// bench/peers/idle-turns.ts <milliseconds>
import { turnsOf } from "../kit/turns.ts";

console.log(JSON.stringify(await turnsOf(() => Bun.sleep(Number(Bun.argv[2])))));
