import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves a test out of a plain run of `scripts/test`. It runs with options,
    /// `LOADERVID_ALL_TESTS` or `LOADERVID_ALL_CASES`.
    package static var slow: Self {
        .disabled(if: runsQuickTestsOnly, "slow; run LOADERVID_ALL_TESTS=1 scripts/test")
    }
}
