// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of SPIR-V. Most come from Khronos' own header (namespace spv); this file adds those that are newer than
// the header that Debian 12 ships (1.3.239). Their names and operands are in grammar_extra.json, which is kept in step
// by a test.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>

namespace kiln::spirv {

inline constexpr uint32_t magic = 0x07230203;
inline constexpr uint32_t header_words = 5;
inline constexpr uint32_t version_1_6 = 0x00010600;
inline constexpr uint32_t max_instruction_words = 0xffff;
inline constexpr uint32_t amdgcn_generator_mark = 0xffff; // low half of the generator word of AMDGCN-flavoured SPIR-V

// clang-format off
namespace op {
// SPV_KHR_untyped_pointers
inline constexpr auto TypeUntypedPointerKHR           = spv::Op(4417);
inline constexpr auto UntypedVariableKHR              = spv::Op(4418);
inline constexpr auto UntypedAccessChainKHR           = spv::Op(4419);
inline constexpr auto UntypedInBoundsAccessChainKHR   = spv::Op(4420);
inline constexpr auto UntypedPtrAccessChainKHR        = spv::Op(4423);
inline constexpr auto UntypedInBoundsPtrAccessChainKHR = spv::Op(4424);
inline constexpr auto UntypedArrayLengthKHR           = spv::Op(4425);
inline constexpr auto UntypedPrefetchKHR              = spv::Op(4426);
inline constexpr auto ExtInstWithForwardRefsKHR       = spv::Op(4433); // SPV_KHR_relaxed_extended_instruction
inline constexpr auto ConvertFToBF16INTEL             = spv::Op(6116); // SPV_INTEL_bfloat16_conversion
inline constexpr auto ConvertBF16ToFINTEL             = spv::Op(6117);
inline constexpr auto ArithmeticFenceEXT              = spv::Op(6145); // SPV_EXT_arithmetic_fence
inline constexpr auto MaskedGatherINTEL               = spv::Op(6428); // SPV_INTEL_masked_gather_scatter
inline constexpr auto MaskedScatterINTEL              = spv::Op(6429);
} // namespace op

namespace capability {
inline constexpr auto UntypedPointersKHR              = spv::Capability(4473);
inline constexpr auto BFloat16TypeKHR                 = spv::Capability(5116); // SPV_KHR_bfloat16
inline constexpr auto BFloat16DotProductKHR           = spv::Capability(5117);
inline constexpr auto FloatControls2                  = spv::Capability(6029); // SPV_KHR_float_controls2
inline constexpr auto BFloat16ConversionINTEL         = spv::Capability(6115);
inline constexpr auto ArithmeticFenceEXT              = spv::Capability(6144);
inline constexpr auto GlobalVariableHostAccessINTEL   = spv::Capability(6187); // SPV_INTEL_global_variable_host_access
inline constexpr auto AtomicInt16CompareExchangeINTEL = spv::Capability(6260); // SPV_INTEL_16bit_atomics
inline constexpr auto Int16AtomicsINTEL               = spv::Capability(6261);
inline constexpr auto AtomicBFloat16LoadStoreINTEL    = spv::Capability(6262);
inline constexpr auto MaskedGatherScatterINTEL        = spv::Capability(6427);
} // namespace capability

namespace decoration {
inline constexpr auto HostAccessINTEL                 = spv::Decoration(6188);
} // namespace decoration

namespace linkage {
inline constexpr auto WeakAMD                         = spv::LinkageType(3); // SPV_AMD_weak_linkage
} // namespace linkage

// Operand of OpTypeFloat: which 16-bit format. Without it: IEEE 754.
namespace fp_encoding {
inline constexpr uint32_t BFloat16KHR = 0;
} // namespace fp_encoding

// The names of NonSemantic.Kiln.1, docs/spirv-mapping.md section 7.
inline constexpr char kiln_set_name[] = "NonSemantic.Kiln.1";
enum class Kiln : uint32_t {
#define KILN_INSTRUCTION(number, name, scope, slice_rule, subject) name = number,
#include "spirv/kiln_instructions.inc"
};
// clang-format on

} // namespace kiln::spirv
