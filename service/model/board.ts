// A token board as the platform ranks it. A rank that is missing belongs to a token that the platform hides.
export { BOARD_NAMES, type Board, type BoardName, type BoardRow } from "../../protocol/shapes/board.ts";
