# cmake --install: headers, both libraries, a CMake package and selvedge.pc. All of it finds itself by its own place, so
# that the tree may be moved.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/selvedge)
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS selvedge selvedge_static EXPORT selvedge_targets)
install(DIRECTORY include/selvedge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT selvedge_targets FILE selvedgeTargets.cmake NAMESPACE selvedge:: DESTINATION ${package_dir})
configure_package_config_file(cmake/selvedgeConfig.cmake.in selvedgeConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(selvedgeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/selvedgeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/selvedgeConfigVersion.cmake
        DESTINATION ${package_dir})

# The GNUInstallDirs may be absolute; selvedge.pc wants them as seen from the prefix.
set(prefix ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${prefix})
file(RELATIVE_PATH libdir_from_prefix ${prefix} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH includedir_from_prefix ${prefix} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
configure_file(cmake/selvedge.pc.in selvedge.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/selvedge.pc DESTINATION ${pc_dir})
