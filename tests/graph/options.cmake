# What the tests of the graph need beyond their own file; included after selvedge_tests(graph ...).
foreach(stem recorder bounds reduction explain writers out_of_memory)
    target_sources(test_graph_${stem} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/feed.c)
endforeach()
# These count what the library allocates, or let single allocations of it fail.
target_link_options(test_graph_bounds PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
target_link_options(test_graph_out_of_memory PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
