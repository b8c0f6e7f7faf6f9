# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kiln_library(FOLDER [LINK lib...]): one static library kiln_FOLDER from the .cpp files of src/FOLDER (recursively),
# linked to what cmake/layers.txt allows; its *_test.cpp files become the test program kiln_FOLDER_test.

file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/layers.txt" kiln_layers REGEX "^[a-z]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/layers.txt")

# A precompiled header of LLVM's most used headers, shared by all libraries that use LLVM.
function(kiln_llvm_pch target)
  if(NOT TARGET kiln_llvm_pch)
    # file(CONFIGURE) leaves an unchanged file's time stamp alone; file(WRITE) would rebuild after every configure.
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/llvm_pch.cpp" CONTENT "// holds the precompiled header of LLVM\n")
    add_library(kiln_llvm_pch OBJECT "${PROJECT_BINARY_DIR}/generated/llvm_pch.cpp")
    target_link_libraries(kiln_llvm_pch PRIVATE kiln_flags kiln_llvm)
    target_precompile_headers(kiln_llvm_pch PRIVATE
      <string> <vector> <memory> <map> <unordered_map> <functional> <span>
      <llvm/IR/IRBuilder.h> <llvm/IR/Module.h> <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h>
      <llvm/IR/Constants.h> <llvm/IR/Metadata.h> <llvm/Passes/PassBuilder.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM kiln_llvm_pch)
endfunction()

function(kiln_library folder)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  set(uses)
  foreach(line IN LISTS kiln_layers)
    if(line MATCHES "^${folder}:(.*)$")
      string(STRIP "${CMAKE_MATCH_1}" uses)
      separate_arguments(uses)
    endif()
  endforeach()

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz)\\.cpp$")

  add_library(kiln_${folder} STATIC ${sources})
  target_link_libraries(kiln_${folder} PUBLIC kiln_flags ${arg_LINK})
  foreach(use IN LISTS uses)
    if(use STREQUAL "LLVM")
      target_link_libraries(kiln_${folder} PUBLIC kiln_llvm)
      kiln_llvm_pch(kiln_${folder})
    else()
      target_link_libraries(kiln_${folder} PUBLIC kiln_${use})
    endif()
  endforeach()

  if(KILN_BUILD_TESTS AND tests)
    add_executable(kiln_${folder}_test ${tests})
    target_link_libraries(kiln_${folder}_test PRIVATE kiln_${folder} GTest::gtest GTest::gmock GTest::gtest_main)
    target_compile_definitions(kiln_${folder}_test PRIVATE KILN_PREFIX="${PROJECT_BINARY_DIR}" KILN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME unit-${folder} COMMAND kiln_${folder}_test)
  endif()
endfunction()
