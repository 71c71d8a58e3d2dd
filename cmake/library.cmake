# The library, shared and static, from the same objects. Both can be used by the same names from an installed tree and
# by add_subdirectory: selvedge::selvedge and selvedge::static.

get_property(objects GLOBAL PROPERTY SELVEDGE_OBJECTS)
add_library(selvedge SHARED ${objects})
add_library(selvedge_static STATIC ${objects})
add_library(selvedge::selvedge ALIAS selvedge)
add_library(selvedge::static ALIAS selvedge_static)
set_target_properties(selvedge PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
set_target_properties(selvedge_static PROPERTIES OUTPUT_NAME selvedge EXPORT_NAME static)
foreach(library selvedge selvedge_static)
    target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${library} PUBLIC OpenCL::OpenCL PRIVATE Threads::Threads m)
    if(SELVEDGE_SANITIZE)
        target_link_options(${library} PUBLIC -fsanitize=${SELVEDGE_SANITIZE})
    endif()
endforeach()
if(NOT SELVEDGE_SANITIZE)
    # A function that is declared and nowhere defined is found here, not by the first program that calls it.
    target_link_options(selvedge PRIVATE -Wl,--no-undefined)
endif()
