// How each of the operator's verbs is used, in one place that loads nothing: the help of all, the help of one and a refusal
// say the same.

export const USAGE = {
  serve: "  crowdtape serve                     run the service (the same as npm start)",
  simulator: "  crowdtape simulator serve           run the simulator as a server of its own",
  key: `  crowdtape key create --plan PLAN --email ADDRESS [--name NAME] [--prepaid CREDITS] [--monthly-cap CREDITS]
                       [--created-days-ago DAYS] [--requests-per-minute N] [--test] [--json]
  crowdtape key list [--json]
  crowdtape key revoke KEY_ID`,
  account: `  crowdtape account show ACCOUNT_ID|ADDRESS [--json]
                                      plan, balances, keys and the latest entries of an account
  crowdtape account grant ACCOUNT_ID CREDITS [--reference TEXT]
                                      give prepaid credits; the same reference gives them once`,
  pay: `  crowdtape pay list [--payment PAYMENT_ID] [--json]
                                      transfers that named no payment, or all that came for one
  crowdtape pay assign SIGNATURE PAYMENT_ID
                                      credit such a transfer to a payment, once the chain confirms it again
  crowdtape pay recheck PAYMENT_ID    look for transfers to a payment again, however old it is
  crowdtape pay test PAYMENT_ID [--amount USD]
                                      pay on the built-in test chain`,
  roster: `  crowdtape roster import FILE | export [--json] | list [--json] | remove HANDLE… | webhook PROVIDER
                                      whom the tracker follows: CSV (handle,displayName,solana,evm) or JSON`,
  tracker: `  crowdtape tracker serve             run the tracker of real chains as a server of its own
  crowdtape tracker explain FILE…|HASH --chain NAME [--wallet ADDRESS] [--json]
                                      say what the tracker sees in a transaction, one JSON line for each wallet`,
  watch: "  crowdtape watch URL [--key KEY]     print a stream's frames",
  migrate: "  crowdtape migrate                   bring the database's schema up to date",
  store: `  crowdtape store copy --from sqlite:FOLDER|postgres://… [--to postgres://…]
                                      move a whole store into an empty one (without --to: into DATABASE_URL)
  crowdtape store new-epoch           after restoring an older back-up: tell clients that later positions are gone`,
  backup:
    "  crowdtape backup FILE               a copy of the SQLite store, while it is in use (PostgreSQL: how to make one)",
  doctor:
    "  crowdtape doctor                    check settings, disk, store, books, upstream, mail and payments",
} as const;
