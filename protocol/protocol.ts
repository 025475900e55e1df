// The whole protocol under one name, for platforms and their callers. docs/platform-protocol.md explains it.
export * from "./capabilities.ts";
export * from "./feeds.ts";
export * from "./platform.ts";
export * from "./questions.ts";
export * from "./shapes/board.ts";
export * from "./shapes/books.ts";
export * from "./shapes/event.ts";
export * from "./shapes/image.ts";
export * from "./shapes/position.ts";
export * from "./shapes/tape.ts";
export * from "./shapes/thesis.ts";
export * from "./shapes/token.ts";
export * from "./shapes/trader.ts";
