# The library, shared and static, from the same objects, and what an installed tree needs to be found.

get_property(objects GLOBAL PROPERTY SELVEDGE_OBJECTS)
add_library(selvedge SHARED ${objects})
add_library(selvedge_static STATIC ${objects})
set_target_properties(selvedge PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} C_VISIBILITY_PRESET hidden)
set_target_properties(selvedge_static PROPERTIES OUTPUT_NAME selvedge)
foreach(library selvedge selvedge_static)
    target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${library} PUBLIC OpenCL::OpenCL Threads::Threads)
    if(SELVEDGE_SANITIZE)
        target_link_options(${library} PUBLIC -fsanitize=${SELVEDGE_SANITIZE})
    endif()
endforeach()
