# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The build directory is itself laid out as an install prefix (a ROCm tree: bin, lib, lib/kiln, include/hip,
# share/hip/version, amdgcn/bitcode), so that everything runs from it without installing.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/archive")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib:$ORIGIN")
