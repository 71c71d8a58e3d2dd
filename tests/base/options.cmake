# What the tests of base need beyond their own file; included after selvedge_tests(base ...).
# These let the library's own allocations fail.
foreach(stem memory table)
    target_sources(test_base_${stem} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/scarce.c)
    target_link_options(test_base_${stem} PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
endforeach()
