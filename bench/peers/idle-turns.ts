// A process that does nothing but go round its event loop: how long its turns get is what the machine does to anybody.
// Run: bun bench/peers/idle-turns.ts <milliseconds>
import { turnsOf } from "../kit/turns.ts";

console.log(JSON.stringify(await turnsOf(() => Bun.sleep(Number(Bun.argv[2])))));
