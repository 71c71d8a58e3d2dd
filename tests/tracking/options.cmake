# What the tests of tracking need beyond their own file; included after selvedge_tests(tracking ...).
foreach(stem parts out_of_memory)
    target_sources(test_tracking_${stem} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/program.c ${CMAKE_CURRENT_LIST_DIR}/../support/naive.c)
endforeach()
# The out-of-memory tests let single allocations of the library fail.
target_link_options(test_tracking_out_of_memory PRIVATE -Wl,--wrap=calloc,--wrap=realloc)
