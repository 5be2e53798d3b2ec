// Reads tests_cpu/data/ops/*.npz: calls of operations with their expected values.
#ifndef NDFORGE_TESTS_OPDATA_H
#define NDFORGE_TESTS_OPDATA_H

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "OpHarness.h"

namespace sd::optest {

/// The files in order of their names; the stem is the family.
std::vector<std::filesystem::path> dataFiles();

/// The names of the cases of a file, "<number>.<operation>", in alphabetical order.
std::vector<std::string> caseNames(const std::filesystem::path& file);

OpCase readCase(const std::string& family, const std::string& name);

/// Calls `f` with every case of every file.
void forEachOpCase(const std::function<void(const OpCase&)>& f);

}  // namespace sd::optest

#endif
