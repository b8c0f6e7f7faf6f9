/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Marks what Kiln's shared libraries export; all else is hidden. */
#ifndef KILN_API_H
#define KILN_API_H
#define KILN_API __attribute__((visibility("default")))
#endif
