"""Conan 2 recipe of NDForge. docs/install.md shows how to use it."""

import os
import re
import shutil

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.env import Environment
from conan.tools.files import copy, load, rmdir
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.0"


class NDForge(ConanFile):
    name = "ndforge"
    description = "Tensor operations for C++, C and the JVM"
    license = "Apache-2.0"
    topics = ("tensor", "array", "simd", "machine-learning")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "with_command": [True, False], "with_onednn": [True, False],
               "with_highway": [True, False], "datatypes": [None, "ANY"], "operations": [None, "ANY"],
               "instruction_sets": [None, "ANY"]}
    default_options = {"shared": True, "with_command": True, "with_onednn": True, "with_highway": True, "datatypes": None,
                       "operations": None, "instruction_sets": None}

    # ---- what the recipe takes from the checkout ---------------------------------------------------------------------

    def set_version(self):
        lists = load(self, os.path.join(self.recipe_folder, "..", "..", "CMakeLists.txt"))
        self.version = re.search(r"project\(NDForge VERSION (\S+)", lists)[1]

    def export(self):
        copy(self, "buildnativeoperations.sh", self._checkout, self.export_folder)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "compilation_units/*", "docs/*",
                        "examples/*", "include/*", "src/*", "tools/*"):
            copy(self, pattern, self._checkout, self.export_sources_folder, excludes=("*/__pycache__/*", "*/target/*"))

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..")

    # ---- dependencies ------------------------------------------------------------------------------------------------

    def system_requirements(self):
        # The system's package manager, not Conan Center: NDForge and the program must share one OpenBLAS and one OpenMP,
        # and recipes of Conan Center build OpenBLAS with threads of its own. The development packages are enough for
        # users of the library too: they depend on the run-time packages, whose names differ from release to release.
        Apt(self).install(self._system_packages(), update=True, check=True)

    def _system_packages(self):
        # The script that builds NDForge without Conan has the list. In Conan's cache it is beside the recipe.
        script = os.path.join(self.recipe_folder, "buildnativeoperations.sh")
        if not os.path.exists(script):
            script = os.path.join(self._checkout, "buildnativeoperations.sh")
        packages = re.search(r"^readonly packages=\((.*?)\)", load(self, script), re.DOTALL | re.MULTILINE)[1].split()
        if not self.options.with_command:
            packages.remove("libcli11-dev")
        if self.options.with_onednn:
            packages.append("libdnnl-dev")
        if self.options.with_highway:
            packages.append("libhwy-dev")
        return packages

    def validate(self):
        if str(self.settings.os) != "Linux" or str(self.settings.arch) not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("this recipe builds NDForge for Linux on x86_64 and armv8")
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 17)

    # ---- build -------------------------------------------------------------------------------------------------------

    def layout(self):
        self.folders.root = os.path.join("..", "..")
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self, generator="Ninja")
        # NDForge's own files choose these. Without Conan's flags, ccache finds what a build without Conan has compiled.
        toolchain.blocks.remove("arch_flags")
        toolchain.cache_variables.update({
            "SD_LIBRARY_TYPE": "dynamic" if self.options.shared else "static",
            "SD_BUILD_CLI": bool(self.options.with_command),
            "SD_USE_ONEDNN": bool(self.options.with_onednn),
            "SD_USE_HIGHWAY": bool(self.options.with_highway),
            "SD_DATATYPES": str(self.options.datatypes or ""),
            "SD_OPERATIONS": str(self.options.operations or ""),
            "SD_INSTRUCTION_SETS": str(self.options.instruction_sets or ""),
            "SD_BUILD_TESTS": False,
            "SD_BUILD_EXAMPLES": False,
            "SD_BUILD_COMPAT": False})
        if shutil.which("ccache"):
            toolchain.cache_variables["CMAKE_C_COMPILER_LAUNCHER"] = "ccache"
            toolchain.cache_variables["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        toolchain.generate()
        # Paths count from here, so that another folder of Conan's cache finds what this one has compiled.
        environment = Environment()
        environment.define("CCACHE_BASEDIR", self.source_folder)
        environment.vars(self).save_script("conanbuild_ccache")

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan writes these files for each program that uses the package.
        for folder in ("cmake", "pkgconfig"):
            rmdir(self, os.path.join(self.package_folder, "lib", folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "NDForge")
        self.cpp_info.set_property("cmake_target_name", "NDForge::ndforge")
        self.cpp_info.set_property("pkg_config_name", "ndforge")
        self.cpp_info.libs = ["ndforge"]
        self.cpp_info.includedirs = [os.path.join("include", "ndforge")]
        if not self.options.shared:
            optional = ["dnnl"] if self.options.with_onednn else []
            optional += ["hwy_contrib", "hwy"] if self.options.with_highway else []
            self.cpp_info.system_libs = optional + ["openblas", "z", "re2", "utf8proc", "stdc++", "dl", "m"]
            self.cpp_info.exelinkflags = self.cpp_info.sharedlinkflags = ["-fopenmp"]
