# What the tests of scheduler need beyond their own file; included after selvedge_tests(scheduler ...).
# This one lets the library's own allocations fail.
target_link_options(test_scheduler_refusals_no_memory PRIVATE -Wl,--wrap=calloc,--wrap=realloc)
