// Runtime tuning for the tests' processes, which live for seconds: functions are compiled to the highest tiers later than in a
// service that runs for weeks. That saves 5 to 10 % of the suite's processor time and changes nothing else.

export const BRIEF_PROCESSES = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "3000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "500000",
};
